"""A second, naive reading of the policy's rules, and random histories to compare the two on."""
