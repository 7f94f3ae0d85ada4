"""Which hosts a request may reach and in which order (`openrouter-facts.md` §2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from serinus.simulator import errors
from serinus.simulator.ask import Ask
from serinus.simulator.chance import dice
from serinus.simulator.errors import ErrorReply
from serinus.simulator.scenario import Account, Host, Model


class NoRouteError(Exception):
    """Every host was filtered away; `reply` is what the gateway says then."""

    def __init__(self, reply: ErrorReply) -> None:
        super().__init__(reply.message)
        self.reply = reply


def covers(name: str, host: Host) -> bool:
    """Whether a name in `only`, `order` or `ignore` means this host.

    The full tag means exactly one endpoint; a base slug means every endpoint of the provider but
    those of a service tier. Display names and other spellings mean nobody, without any error.
    """
    return name == host.tag or (name == host.provider and host.tier is None)


def route(ask: Ask, model: Model, hosts: Sequence[Host], account: Account, seed: int) -> tuple[Host, ...]:
    """The hosts to try, first choice first.

    Raises:
        NoRouteError: nobody is left.
    """
    if not hosts:
        raise NoRouteError(errors.no_endpoints(model.id))
    allowed = _allowed(ask, model, hosts, account)
    able = _able(ask, model, allowed)
    return _ordered(ask, model, able, seed)


def _allowed(ask: Ask, model: Model, hosts: Sequence[Host], account: Account) -> list[Host]:
    only = _names(ask, "only")
    left = [h for h in hosts if not account.allowed or _any(account.allowed, h)]
    if only:
        left = [h for h in left if _any(only, h)]
    else:
        named = _names(ask, "order")
        left = [h for h in left if h.tier is None or h.tag in named]
    if not left:
        available = list(dict.fromkeys(h.provider for h in hosts))
        raise NoRouteError(errors.no_allowed_providers(model.id, available, only or list(account.allowed)))
    left = [h for h in left if not _any((*_names(ask, "ignore"), *account.ignored), h)]
    if not left:
        raise NoRouteError(errors.all_ignored(model.id))
    return left


def _able(ask: Ask, model: Model, hosts: list[Host]) -> list[Host]:
    precisions = _names(ask, "quantizations")
    if precisions:
        hosts = _filtered(hosts, lambda h: (h.precision or "unknown") in precisions, model, "quantization")
    if ask.max_tokens is not None:
        cap = ask.max_tokens
        hosts = _filtered(hosts, lambda h: (h.max_completion_tokens or cap) >= cap, model, "context_length")
    needs = _needs(ask)
    if ask.provider.get("require_parameters") is True:
        return _filtered(hosts, lambda h: needs <= set(h.claims), model, "require_parameters")
    # Softly: hosts without tools or formats step back when others have them.
    soft = needs & {"tools", "response_format", "structured_outputs"}
    return [h for h in hosts if soft <= set(h.claims)] or hosts


def _needs(ask: Ask) -> set[str]:
    known = ("temperature", "top_p", "stop", "seed", "logprobs", "tools", "tool_choice")
    needs = {name for name in known if ask.body.get(name) is not None}
    if ask.schema is not None:
        needs |= {"structured_outputs"}
    elif ask.json_only:
        needs |= {"response_format"}
    return needs


def _filtered(hosts: list[Host], keep: Callable[[Host], bool], model: Model, constraint: str) -> list[Host]:
    left = [h for h in hosts if keep(h)]
    if not left:
        text = "No endpoints found that can handle the requested parameters."
        raise NoRouteError(errors.no_endpoints_for(model.id, constraint, text))
    return left


def _ordered(ask: Ask, model: Model, hosts: list[Host], seed: int) -> tuple[Host, ...]:
    order = _names(ask, "order")
    first = list({h.tag: h for name in order for h in hosts if covers(name, h)}.values())
    fallbacks = ask.provider.get("allow_fallbacks") is not False
    if order and not fallbacks and not first:
        text = f"No endpoints found for the request with manual order: {', '.join(order)}"
        raise NoRouteError(errors.no_endpoints_for(model.id, "allowed_providers", text))
    rest = [h for h in _balanced(ask, hosts, seed) if h not in first]
    own = [h for h in (*first, *rest) if h.byok]  # the caller's own accounts always come first
    ranked = list({h.tag: h for h in (*own, *first, *rest)}.values())
    if fallbacks:
        return tuple(ranked)
    return tuple(first) if len(first) > 1 else tuple(ranked[:1])


def _balanced(ask: Ask, hosts: list[Host], seed: int) -> list[Host]:
    sort = ask.provider.get("sort")
    by = sort.get("by") if isinstance(sort, dict) else sort
    if by == "price":
        return sorted(hosts, key=lambda h: h.price.completion)
    if by == "latency":
        return sorted(hosts, key=lambda h: h.latency.first_text)
    if by == "throughput":
        return sorted(hosts, key=lambda h: h.latency.per_token)
    # Weight 1/price²: the exponential race draws without replacement by these weights.
    chance = dice(seed, "balance", ask.key)
    return sorted(hosts, key=lambda h: chance.expovariate(1.0) * max(h.price.completion, 1e-6) ** 2)


def _names(ask: Ask, field: str) -> list[str]:
    value = ask.provider.get(field)
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _any(names: Iterable[str], host: Host) -> bool:
    return any(covers(name, host) for name in names)
