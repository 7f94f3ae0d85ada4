"""Identity: the route that was asked is the one that answers, with the model it names (R3). Records only."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from serinus.core.exact import fisher
from serinus.core.model import Probe, Turn, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract, Measurement, Reason
from serinus.judging.naming import plain
from serinus.judging.precedence import asks_about
from serinus.judging.significance import chi_square, counts_of
from serinus.judging.voiding import WRONG_NAME, asked_model, foreign_model
from serinus.probes import roleplay

SIGNIFICANT: Final = 0.001  # many routes are tested each day; one in a thousand is told and never scored
LEAST_SAMPLES: Final = 25  # fewer answers than this show no distribution (`faults.md` F159)
_LABELS: Final = (
    "tag",
    "quantization",
    "precision",
    "variant",
    "provider",
    "provider_name",
    "model",
    "model_id",
    "name",
)


class Identity(Contract):
    """Who served is proved; what serves stays what it was."""

    name = "identity"
    promise = "The pinned route itself answers, with the model that was asked for."
    kinds = frozenset({"roleplay", "structured", "tool_call", WRONG_NAME})
    scored = False
    about_errors = True
    blind_fault = "wrong_model"
    reasons = (
        Reason("as_pinned", Word.PASS, "The answer names the pinned route and the model asked for."),
        Reason("name_refused", Word.PASS, "A model that does not exist was refused."),
        Reason("unchanged", Word.PASS, "The endpoint's labels are what they were."),
        Reason("obeyed", Word.PASS, "No ignored provider served."),
        Reason("same_distribution", Word.PASS, "The answers are distributed like those of the peers."),
        Reason("one_pool", Word.PASS, "All vantage points see the same."),
        Reason(
            "another_model",
            Word.FAIL,
            "Another model than the one asked for answered.",
            "other/mini-8b for acme/roleplay-70b",
            "a dated or canonical alias",
        ),
        Reason("nobody_named", Word.VOID, "The request was pinned, and nobody is named as having served."),
        Reason("answers_any_name", Word.WARN, "A model name that the host does not serve was answered."),
        Reason(
            "label_changed",
            Word.WARN,
            "The endpoint's labels changed.",
            "bf16, then fp8",
            "unknown, as before",
        ),
        Reason(
            "distribution_differs",
            Word.WARN,
            "The answers are distributed otherwise than those of the peers.",
            "“west” 88 times of 100, where peers say it 24 times",
            "sampling noise",
        ),
        Reason(
            "split_pool",
            Word.WARN,
            "One vantage point sees bad answers and another none.",
            "",
            "single misses",
        ),
        Reason("ignored_served", Word.ALARM, "A provider on the ignore list served production traffic."),
        Reason("own_error", Word.INCONCLUSIVE, "Our own request was refused."),
        Reason("too_few_samples", Word.INCONCLUSIVE, "Too few answers for a distribution."),
        Reason(
            "ambiguous_name", Word.INCONCLUSIVE, "The provider has several routes, of which one is ignored."
        ),
        Reason("not_pinned", Word.NOT_APPLICABLE, "Nothing was pinned and no model asked for."),
        Reason("no_statistics_of_identity", Word.NOT_APPLICABLE, "These statistics say nothing of identity."),
    )

    def probes(self, turn: Turn) -> tuple[Probe, ...]:
        """The role-play answer that most contracts read."""
        return (roleplay.ask(turn),)

    def judge(self, transcript: Transcript) -> Verdict:
        """Names in the answer against the names in the request; a wrong provider was `void` before."""
        if transcript.probe.kind == WRONG_NAME:
            return self._wrong_name(transcript)
        if asks_about(self, transcript):
            return self.say("own_error", "Our own request was refused.", status=transcript.status)
        named, asked = foreign_model(transcript), asked_model(transcript)
        if named is not None:
            return self.say(
                "another_model", f"{named} answered, asked was {asked}.", named=named, asked=asked
            )
        evidence = {
            "provider": transcript.answer.provider,
            "pin": transcript.pin,
            "models": transcript.answer.models,
        }
        if transcript.pin is not None and not transcript.proved and not transcript.answer.provider:
            return self.say(
                "nobody_named", "The request was pinned, and nobody is named as having served.", **evidence
            )
        if transcript.pin is None and asked is None:
            return self.say("not_pinned", "Nothing was pinned and no model asked for.")
        return self.say("as_pinned", "The answer names the pinned route and the model asked for.", **evidence)

    def weigh(self, probe: Probe, measurement: Measurement) -> Verdict:
        """Statistics by the special probe that gathered them."""
        values = measurement.values
        if measurement.type == "meta":
            return self._production(probe, values) if "provider_name" in values else self._labels(values)
        if measurement.type == "counts" and probe.kind == "choice":
            return self._distribution(counts_of(values.get("host")), counts_of(values.get("reference")))
        if measurement.type == "counts" and probe.kind == "vantage":
            return self._vantages(counts_of(values.get("host")))
        return self.say("no_statistics_of_identity", "These statistics say nothing of identity.")

    def _wrong_name(self, transcript: Transcript) -> Verdict:
        if asks_about(self, transcript):
            return self.say(
                "name_refused", "A model that does not exist was refused.", status=transcript.status
            )
        if not transcript.direct:
            return self.say("not_pinned", "Through a gateway a name proves nothing.")
        named = ", ".join(transcript.answer.models) or "no model"
        return self.say("answers_any_name", f"A name that is not served was answered, by {named}.")

    def _labels(self, values: Mapping[str, Any]) -> Verdict:
        before, after = values.get("yesterday"), values.get("today")
        changed = _changes(before, after)
        if changed:
            told = ", ".join(f"{key}: {old} to {new}" for key, (old, new) in changed.items())
            return self.say(
                "label_changed", f"Labels changed: {told}.", changed={k: list(v) for k, v in changed.items()}
            )
        return self.say("unchanged", "The endpoint's labels are what they were.")

    def _production(self, probe: Probe, values: Mapping[str, Any]) -> Verdict:
        served = str(values["provider_name"])
        ignored = probe.parameters.get("ignore")
        names = [str(n) for n in ignored] if isinstance(ignored, list) else []
        since, asked = (
            _instant(probe.parameters.get("ignore_active_at")),
            _instant(probe.parameters.get("request_at")),
        )
        evidence = {"served": served, "ignored": names}
        if since is not None and asked is not None and asked < since:
            return self.say("obeyed", "The request was sent before the exclusion was active.", **evidence)
        hits = [_covers(name, served) for name in names]
        if True in hits:
            return self.say(
                "ignored_served", f"{served} served, though it is on the ignore list.", **evidence
            )
        if None in hits:
            return self.say(
                "ambiguous_name", f"{served} has several routes, of which one is ignored.", **evidence
            )
        return self.say("obeyed", "No ignored provider served.", **evidence)

    def _distribution(self, host: dict[str, int], reference: dict[str, int]) -> Verdict:
        samples = sum(host.values()), sum(reference.values())
        if min(samples) < LEAST_SAMPLES:
            return self.say("too_few_samples", "Too few answers for a distribution.", samples=list(samples))
        p = chi_square(host, reference)
        evidence = {"p": _shown(p), "threshold": SIGNIFICANT, "host": host, "reference": reference}
        if p < SIGNIFICANT:
            return self.say(
                "distribution_differs", f"The answers differ from the peers' (p = {p:.2g}).", **evidence
            )
        return self.say("same_distribution", f"The answers are like the peers' (p = {p:.2g}).", **evidence)

    def _vantages(self, host: dict[str, int]) -> Verdict:
        names = sorted({key.rsplit("_", 1)[0] for key in host})
        pools = {n: (host.get(f"{n}_bad", 0), host.get(f"{n}_ok", 0)) for n in names}
        worst, best = (_extreme(pools, worst=w) for w in (True, False))
        if worst is None or best is None or worst == best:
            return self.say("too_few_samples", "Fewer than two vantage points answered.", pools=pools)
        p = fisher(*pools[worst], *pools[best]) * max(1, len(pools) - 1)  # the worst of several was chosen
        evidence = {"p": _shown(p), "threshold": SIGNIFICANT, "pools": pools}
        if p < SIGNIFICANT:
            return self.say(
                "split_pool", f"{worst} sees far more bad answers than {best} (p = {p:.2g}).", **evidence
            )
        return self.say("one_pool", f"All vantage points see the same (p = {p:.2g}).", **evidence)


def _shown(p: float) -> str:
    """A p-value as text: three places would make every small one 0."""
    return f"{p:.3g}"


def _extreme(pools: Mapping[str, tuple[int, int]], *, worst: bool) -> str | None:
    """The vantage point with the highest or lowest share of bad answers."""
    shares = {name: bad / (bad + ok) for name, (bad, ok) in pools.items() if bad + ok}
    if not shares:
        return None
    chosen = max if worst else min
    return chosen(shares, key=lambda name: (shares[name], name))


def _changes(before: Any, after: Any) -> dict[str, tuple[Any, Any]]:
    """Labels that differ between two listings; of objects only those that name what serves."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [k for k in _LABELS if k in before or k in after] or sorted({**before, **after})
        return {k: (before.get(k), after.get(k)) for k in keys if before.get(k) != after.get(k)}
    return {} if before == after else {"label": (before, after)}


def _covers(name: str, served: str) -> bool | None:
    """Whether an ignored name covers who served; None where a display name hides which route it was."""
    name_base, _, name_variant = name.partition("/")
    base, _, variant = served.partition("/")
    if plain(name_base) != plain(base):
        return False
    if not name_variant:
        return True
    return plain(name_variant) == plain(variant) if variant else None


def _instant(value: Any) -> float | None:
    """A time of a hint, RFC 3339 or seconds, as seconds; only the order of two matters."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if at is None:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
