"""Operators' channels, each behind the port `serinus.service.ports.Channel`."""
