"""One answer in the making: what the faults of each stage make of what a healthy host would say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from serinus.simulator import answers, delivery
from serinus.simulator.ask import Ask
from serinus.simulator.chance import dice
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Fault, Stage
from serinus.simulator.framing import Framer
from serinus.simulator.recognise import wish_of
from serinus.simulator.repair import repaired
from serinus.simulator.response import Answered, Forwarded, Response, refused
from serinus.simulator.scenario import Scenario
from serinus.simulator.steps import Step

Struck = Iterator[tuple[Fault, Mapping[str, Any], Case]]


def made(case: Case, struck: Callable[[Case, Stage], Struck], scenario: Scenario) -> Response:
    """The response of one host to one request; `struck` tells which faults strike at a stage."""
    return _Making(case, struck, scenario).response()


@dataclass(frozen=True, slots=True)
class _Making:
    case: Case
    struck: Callable[[Case, Stage], Struck]
    scenario: Scenario

    def response(self) -> Response:
        case = self.case
        for fault, parameters, own in self.struck(case, Stage.STATUS):
            return refused(fault(own, **parameters), case.framer)
        seen = case.ask
        for fault, parameters, own in self.struck(case, Stage.REQUEST):
            seen = fault(seen, own, **parameters)
        if case.host.forward:
            return Forwarded(case.framer.id, case.host, seen, case.framer)
        draft = self._healed(self._draft(seen))
        framer = replace(case.framer, served=draft.served)
        return Answered(framer.id, case.host, draft, framer, tuple(self._steps(draft, framer)))

    def _draft(self, seen: Ask) -> Draft:
        case = self.case
        chance = dice(self.scenario.seed, "answer", case.host.tag, seen.key)
        wish = case.wish if seen.turns == case.ask.turns else wish_of(seen, case.corpus)
        draft = answers.answer(seen, wish, case.corpus, case.framer.served, chance)
        if case.host.control and case.ask.kind == "roleplay":
            draft = answers.refused(draft, case.wish.language, case.corpus, chance)
        draft = replace(draft, prompt_tokens=seen.prompt_tokens)
        draft = self._changed(draft, Stage.CONTENT)
        return self._changed(answers.limited(draft, seen), Stage.ANSWER)

    def _changed(self, draft: Draft, stage: Stage) -> Draft:
        for fault, parameters, own in self.struck(self.case, stage):
            draft = fault(draft, own, **parameters)
        return draft

    def _healed(self, draft: Draft) -> Draft:
        """The account's response-healing plugin, which a request may switch off; never in streams."""
        ask = self.case.ask
        on = ask.plugins.get("response-healing", self.scenario.account.healing)
        if not on or ask.stream or ask.kind != "structured" or not draft.text:
            return draft
        healed = repaired(draft.text)
        data = {"healed": healed != draft.text}
        stage = {"type": "response_healing", "name": "response-healing", "data": data}
        served = replace(draft.served, pipeline=(*draft.served.pipeline, stage))
        return replace(draft, served=served, text=healed)

    def _steps(self, draft: Draft, framer: Framer) -> list[Step]:
        host, ask = self.case.host, self.case.ask
        chance = dice(self.scenario.seed, "delivery", host.tag, ask.key)
        make = delivery.streamed if ask.stream else delivery.whole
        steps = list(make(framer, draft, host.latency, chance))
        for fault, parameters, own in self.struck(replace(self.case, framer=framer), Stage.STREAM):
            if ask.stream or fault.bodies:
                steps = list(fault(steps, own, **parameters))
        return steps
