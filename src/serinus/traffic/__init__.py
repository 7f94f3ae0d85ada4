"""How exclusions reach the requests that applications send."""
