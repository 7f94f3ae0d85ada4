"""A proxy that adds the merged list to requests on their way to the gateway."""
