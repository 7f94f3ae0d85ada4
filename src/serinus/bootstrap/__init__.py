"""The one place where adapters are chosen: settings in, a working canary out."""
