"""What the proxy's benches share: a gateway and callers in C, and the proxies that are compared."""
