from __future__ import annotations

import base64
import json

import pytest

from recorded import FIXTURES, SCENE, chunk, samples, stream, text, told
from serinus.contracts import contracts
from serinus.core.model import Limits, Verdict, Word
from serinus.core.transcript import End, Phase
from serinus.service.cases.case import CaseReader
from serinus.service.cases.hints import Fixtures, read_hint
from serinus.service.cases.judgements import judgements, line, plain
from serinus.service.cases.limits import limits_of
from serinus.service.cases.problems import CaseError
from serinus.service.cases.responses import read_answer

CONFIG = """
[limits]
first_text = "12s"
[[model]]
id = "acme/roleplay-70b"
[model.limits]
stall = 20
[gateway]
x = 1
"""


def reader():
    return CaseReader(Fixtures(FIXTURES), lambda _: Limits())


def answer(response, **hint):
    return read_answer(response, read_hint(hint, Fixtures(FIXTURES)), Limits())


class TestHints:
    def test_the_kind_of_probe_follows_from_what_was_asked(self):
        def kind(**hint):
            return read_hint(hint, Fixtures(FIXTURES)).probe.kind

        assert kind(prompt="Hi.") == "roleplay"
        assert kind(response_format="inn_v1") == "structured"
        assert kind(tools=["ring_bell"]) == "tool_call"
        assert kind(type="needle", needle="x") == "needle"

    def test_the_pin_may_stand_in_the_request_s_own_field(self):
        fixtures = Fixtures()
        assert read_hint({"provider": {"only": ["host-a/fp8"]}}, fixtures).pin == "host-a/fp8"
        assert read_hint({"pin": "host-b", "provider": {"only": ["host-a"]}}, fixtures).pin == "host-b"

    def test_everything_else_is_a_parameter(self):
        probe = read_hint({"seed": 7, "logprobs": True, "prompt": "Hi."}, Fixtures()).probe
        assert probe.parameters == {"seed": 7, "logprobs": True}
        assert probe.prompt == "Hi."

    @pytest.mark.parametrize(
        ("hint", "told_"),
        [
            ({"response_format": "nope"}, "response_format names 'nope'"),
            ({"tools": ["nope"]}, "tools names 'nope'"),
            ({"max_tokens": "300"}, "request_hint.max_tokens is '300', allowed is a whole number"),
            ({"stop": 3}, "request_hint.stop is 3"),
            ({"type": "odd"}, "request_hint.type is 'odd', allowed is one of choice"),
            ({"tools": [{"function": {}}]}, "function.name"),
            ({"sent_tokens_est": "many"}, "request_hint.sent_tokens_est"),
            ({"expect_values": [1]}, "request_hint.expect_values"),
        ],
    )
    def test_a_wrong_value_is_told_with_its_place_and_what_is_allowed(self, hint, told_):
        with pytest.raises(CaseError, match="request_hint") as caught:
            read_hint(hint, Fixtures(FIXTURES))
        assert told_ in str(caught.value)


class TestResponses:
    def test_a_text_has_no_times_and_says_nothing_of_who_served(self):
        seen = answer(text("Sit."))
        assert (seen.status, seen.timed, seen.answer.provider, seen.answer.done) == (200, False, None, True)

    def test_bytes_go_through_the_real_reader(self):
        whole = "data: " + json.dumps(chunk({"content": "Grüße “é” 極"}), ensure_ascii=False) + "\r\n\r\n"
        raw = whole.encode()
        cuts = [raw[n : n + 7] for n in range(0, len(raw), 7)]
        events = [{"t": n, "b64": base64.b64encode(c).decode()} for n, c in enumerate(cuts)]
        seen = answer({"type": "chunks", "events": events, "end": "close"})
        assert seen.answer.text == "Grüße “é” 極"
        assert seen.answer.deltas[0].at == (len(cuts) - 1) / 1000

    def test_legal_variants_of_the_standard_are_read(self):
        line_ = json.dumps(chunk({"content": "Sit."}))
        flow = stream(
            (10, ": hello"),
            (20, f"data:{line_}"),
            (30, f"event: message\nid: 7\ndata: {line_}"),
            (40, "data:[DONE]"),
        )
        assert answer(flow).answer.text == "Sit.Sit."
        assert answer(flow).answer.done is True

    def test_a_hold_counts_from_the_last_event(self):
        held = answer(stream((700, ": wait"), end="hold", hold_ms=40_000))
        assert (held.end, held.ended) == (End.HELD, 40.7)
        assert answer(stream((700, ": wait"))).ended == 0.7
        assert answer(stream((700, ": wait"), end="hold")).ended == 60

    def test_connection_errors_say_how_far_it_got(self):
        def phase(error):
            return answer({"type": "conn_error", "error": error}).phase

        assert phase("connection refused") is Phase.CONNECT
        assert phase("TLS handshake failed") is Phase.CONNECT
        assert phase("broken pipe while sending") is Phase.SEND
        assert phase("reset before headers") is Phase.WAIT

    @pytest.mark.parametrize(
        ("response", "told_"),
        [
            ({"type": "odd"}, "response.type is 'odd'"),
            ({"type": "text", "text": 3}, "response.text is 3"),
            ({"type": "samples", "items": []}, "response.items is []"),
            ({"type": "chunks", "events": [{"t": 1}]}, "neither `sse`"),
            ({"type": "chunks", "events": [{"t": "x", "sse": ""}]}, "response.events[0].t is 'x'"),
            ({"type": "chunks", "events": [{"t": 1, "b64": "%%"}]}, "is not base64"),
            ({"type": "chunks", "events": [], "end": "odd"}, "response.end is 'odd'"),
            ({"type": "chunks", "events": {}}, "response.events is {}"),
            ({"type": "body", "status": 200}, "neither `body`"),
            ({"type": "http_error", "body": {}}, "response.status is None"),
            ({"type": "pair", "warm": "a"}, "response.cold is None"),
        ],
    )
    def test_what_a_response_misses_is_told(self, response, told_):
        with pytest.raises(CaseError) as caught:
            reader().read({"id": 1, "response": response})
        assert told_ in str(caught.value)


class TestCases:
    def test_an_unknown_key_is_told_once_and_ignored(self):
        cases = reader()
        raw = {"id": 1, "fault": "F1", "response": text("Sit.") | {"odd": 1}}
        cases.read(raw)
        assert cases.warnings() == ["unknown key 'fault' is ignored", "unknown key 'response.odd' is ignored"]
        cases.read(raw)
        assert cases.warnings() == []

    def test_what_was_ignored_is_told_of_a_bad_line_too(self):
        cases = reader()
        with pytest.raises(CaseError):
            cases.read({"id": 1, "respnse": text("Sit.")})
        assert cases.warnings() == ["unknown key 'respnse' is ignored"]

    def test_an_unknown_contract_is_an_error_that_lists_the_known(self):
        case = reader().read({"id": 1, "contract": "odd", "response": text("Sit.")})
        with pytest.raises(CaseError, match="allowed is \\* or one of first_token"):
            list(judgements(case, contracts()))

    def test_a_named_contract_judges_whatever_it_is_given(self):
        assert told("tool_call", text("Sit."), tools=["ring_bell"])[0] == "inconclusive"
        assert told("filtering", text("Sit."), tools=["ring_bell"])[0] == "pass"

    def test_a_pair_is_judged_on_both_sides(self):
        clean = {"type": "pair", "warm": SCENE, "cold": [SCENE, SCENE]}
        assert told("filtering", clean, type="pair")[0] == "pass"
        cold = clean | {"cold": ["I'm sorry, but I can't help with that request."]}
        assert told("filtering", cold, type="pair") == ("fail", "canned_refusal")
        counts = {"type": "pair", "warm": {"bad": 0, "ok": 19}, "cold": {"bad": 44, "ok": 0}}
        assert told("opening", counts, type="pair")[0] == "fail"
        assert told("opening", counts | {"cold": {"bad": 1, "ok": 43}}, type="pair")[0] == "pass"
        assert (
            told("filtering", {"type": "pair", "warm": text(SCENE), "cold": samples(SCENE)}, type="pair")[0]
            == "pass"
        )


class TestLines:
    def test_keys_are_sorted_and_numbers_rounded(self):
        evidence = {"b": 1.23456, "a": (0.1 + 0.2, float("nan"), {"y", "x"}), "c": -0.0001}
        assert line("i", "c", Verdict(Word.FAIL, "r", "d", evidence)) == (
            b'{"contract": "c", "detail": "d", "evidence": {"a": [0.3, "nan", ["x", "y"]], "b": 1.235, '
            b'"c": 0.0}, "id": "i", "reason": "r", "verdict": "fail"}\n'
        )

    def test_a_lone_surrogate_is_written_as_its_escape(self):
        out = line(None, "c", Verdict(Word.PASS, "r", "half \ud83d"))
        assert json.loads(out)["detail"] == "half \ud83d"
        out.decode("utf-8")

    def test_values_of_python_become_values_of_json(self):
        assert plain({1: Word.PASS, "k": None}) == {"1": "pass", "k": None}


class TestLimits:
    def test_a_model_s_limits_stand_over_the_common_ones(self):
        of = limits_of(CONFIG)
        assert of(None) == Limits(first_text=12)
        assert of("acme/roleplay-70b") == Limits(first_text=12, stall=20)
        assert of("other") == Limits(first_text=12)

    def test_all_mistakes_are_told_at_once(self):
        with pytest.raises(CaseError) as caught:
            limits_of('[limits]\nfirst_txt = 3\nstall = "soon"\nhard = -1\n[[model]]\nlimits = 3\n')
        for place in ("limits.first_txt", "limits.stall", "limits.hard", "model[0].id"):
            assert place in str(caught.value)

    def test_what_is_no_toml_is_told(self):
        with pytest.raises(CaseError, match="not TOML"):
            limits_of("[")
        with pytest.raises(CaseError, match="nests hundreds deep"):
            limits_of("stall = " + "[" * 5000)
        with pytest.raises(CaseError, match=r"model is 3, allowed is one \[\[model\]\] table or more"):
            limits_of("model = 3")
