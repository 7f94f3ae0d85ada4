"""A LiteLLM proxy: its deployments are routes, pinned and excluded by deployment id (seen with 1.106.12).

Beside pinning it changes what it relays: a stream that a host cuts off reaches us with `stop`, a usage
and `[DONE]` of LiteLLM's own, comments are dropped, and the status line waits for the host's first event.
Faults of those kinds cannot be seen through it.
"""

from serinus.gateways.litellm.gateway import PROOF, LiteLLM

__all__ = ["PROOF", "LiteLLM"]
