"""A simulated gateway with faults as data, on the real wire format; it also fronts real engines."""
