"""One's own inference servers (vLLM, llama.cpp and others): each is a route, asked on its own address."""

from serinus.gateways.openai_compatible.gateway import OpenAICompatible
from serinus.gateways.openai_compatible.replica import Replica

__all__ = ["OpenAICompatible", "Replica"]
