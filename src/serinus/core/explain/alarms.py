"""What whoever is woken reads of acts and of the canary itself: budgets, listings, channels, silence."""

from __future__ import annotations

from datetime import datetime, timedelta
from shlex import quote

from serinus.core.explain.notices import harmless, short
from serinus.core.explain.phrases import counted, lasting, moment, reason_of
from serinus.core.model import Verdict
from serinus.core.policy.events import Exclude, Mode, SetMode


def notice_of_exclusion(act: Exclude, model: str, providers: int, floor: int) -> str:
    """That an exclusion by hand took a model below its floor."""
    until = f" until {moment(act.until)}" if act.until else ""
    where = f" --model {quote(act.model)}" if act.model else ""
    back = (
        f"Take it back: serinus exclusions remove {quote(act.route)}{where} --why '…'"
        if act.layer.value == "operational"
        else "It stands in a reviewed file or in the account's own settings: change it there."
    )
    return (
        f"{act.by or 'An operator'} excluded {act.route} ({act.layer}){until}{reason_of(act.why)}\n"
        f"{model} has {counted(providers, 'provider')} left in production by that; the floor is {floor}. The "
        "canary suspends nobody there now.\n"
        f"{back}"
    )


def notice_of_mode(act: SetMode) -> str:
    """That suspensions begin to reach routing, or no longer do."""
    scope = f"{act.contract} of {act.model or 'all models'}" if act.contract else act.model or "all models"
    flags = "".join(
        f" --{name} {quote(value)}"
        for name, value in (("model", act.model), ("contract", act.contract))
        if value
    )
    by = act.by or "An operator"
    if act.mode is Mode.ENFORCE:
        return (
            f"{by} set {scope} to enforce{reason_of(act.why)}\n"
            "From now on its suspensions keep routes from user traffic; what was only observed is not "
            "enforced by this.\n"
            f"Take it back at once: serinus mode observe{flags} --why '…'"
        )
    return (
        f"{by} set {scope} to observe{reason_of(act.why)}\n"
        "Nothing of it reaches routing any more; suspensions that rested on it alone ended."
    )


def notice_of_regained(model: str) -> str:
    """That capacity is back."""
    return f"{model} has its capacity back: it is at its floor or above it."


def notice_of_lost_listing(model: str, listing: str) -> str:
    """That the gateway's listing cannot be believed (R1)."""
    return (
        f"{model}: {harmless(listing.rstrip('.'))}. The last known listing stands: its routes are asked, and "
        "nobody is suspended for being missing.\n"
        "If it lasts, see whether the model's name still is the gateway's: serinus doctor"
    )


def notice_of_found_listing(model: str) -> str:
    """That it can be believed again."""
    return f"{model}: the listing can be believed again."


def notice_of_refusal(model: str, refused: str) -> str:
    """That every route refused ourselves."""
    return (
        f"{model}: {harmless(refused)}\n"
        "Until that is put right nothing is judged: suspensions stand and run out at their time, none begins."
    )


def notice_of_acceptance(model: str) -> str:
    """That the gateway takes our requests again."""
    return f"{model}: the gateway takes our requests again."


def notice_of_void(tag: str, model: str, verdict: Verdict) -> str:
    """That an answer was not the route's own (R3)."""
    return (
        f"A probe of {tag} of {model} was not answered by it ({verdict.reason}): "
        f"{short(verdict.detail) or 'no further detail.'}\n"
        "Nothing of it was scored. Look for plugins, presets or fallbacks on the account: serinus doctor"
    )


def notice_of_budget(trouble: str) -> str:
    """That the day's money is spent."""
    return (
        f"Probing stopped: {trouble}\n"
        "What it costs, and by what: serinus plan. Raise budget.usd_per_day, or ask less: rounds.interval, "
        'rounds.set = "lean".'
    )


def notice_of_silence(
    model: str, last: datetime, at: datetime, interval: timedelta, holder: str | None
) -> str:
    """That no round was held for too long."""
    who = f"{holder} has the canary's place, so it runs and hangs" if holder else "nobody has its place"
    return (
        f"{model}: no round was held since {moment(last)}, {_roughly(at - last)} ago; one is due every "
        f"{lasting(interval)}. What protects users is as old.\n"
        "The ignore list stands as it was; suspensions run out at their time, none begins.\n"
        f"Is `serinus run` running? {who[0].upper()}{who[1:]}. Start it again, then: serinus doctor"
    )


def _roughly(length: timedelta) -> str:
    """How long, to the minute: `3 h 10 min`."""
    hours, rest = divmod(length, timedelta(hours=1))
    minutes = rest // timedelta(minutes=1)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def notice_of_sign_of_life(model: str, last: datetime) -> str:
    """That rounds are held again."""
    return f"{model}: rounds are held again, the last one was planned for {moment(last)}."


def notice_of_prompt(model: str, key: str) -> str:
    """That a prompt left the pool."""
    return (
        f"{model}: the prompt {key} is asked no more, because otherwise clean routes went wrong on it: the "
        "prompt is the likely cause. Verdicts so far stand, and nothing must be done."
    )


def notice_of_dead_channel(name: str, why: str) -> str:
    """That a channel failed for good."""
    return (
        f"The channel {name} is disabled: {why}. Whoever listens there hears nothing.\n"
        f"Mend it, try it and switch it on: serinus notify test {name}; serinus notify enable {name}"
    )


def notice_of_live_channel(name: str, by: str, why: str) -> str:
    """That somebody switched it on again."""
    return f"The channel {name} is enabled again by {by} and sent what it missed: {why}"


def notice_of_correction(seq: int) -> str:
    """That what was kept of the log's fold was not what the log says."""
    return (
        f"The state that was kept up to entry {seq} of the log was not what the log says, and was made anew "
        "from the log.\n"
        "What `serinus status` showed before may have been wrong: look at it again. If this comes back, look "
        "at the disk: serinus doctor"
    )


def notice_of_trial(name: str) -> str:
    """That a channel works."""
    return f"This is a test of the channel {name}: it works. Nothing happened to any route."
