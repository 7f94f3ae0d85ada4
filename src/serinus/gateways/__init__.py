"""Wire formats of gateways: one file each; what a route is asked and what came back."""
