import io
import json

from serinus.bootstrap.logging import HIDDEN, logger

KEY = "sk-or-v1-" + "0123456789abcdef" * 4


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def written(**facts):
    stream = io.StringIO()
    logger(stream).bind(round="m@2026-11-30T02:30Z", route="alpha/fp8", contract="language").warning(
        "verdict", **facts
    )
    return stream.getvalue()


def test_a_log_is_one_json_object_a_line_with_round_route_and_contract():
    line = json.loads(written(detail="two\nlines"))
    assert (line["event"], line["level"]) == ("verdict", "warning")
    assert (line["round"], line["route"], line["contract"]) == (
        "m@2026-11-30T02:30Z",
        "alpha/fp8",
        "language",
    )
    assert written(detail="two\nlines").count("\n") == 1


def test_a_person_reads_lines():
    stream = Terminal()
    logger(stream).info("begin", model="acme/story-70b")
    assert "begin" in stream.getvalue()
    assert not stream.getvalue().startswith("{")


def test_a_secret_that_gets_into_a_log_is_not_written():
    shown = written(
        authorization=f"Bearer {KEY}",
        detail=f"the host echoed {KEY} to us",
        headers={"Authorization": "Basic abc", "x": [f"{KEY}"]},
        prompt_tokens=17,
    )
    assert KEY not in shown
    assert "Basic abc" not in shown
    line = json.loads(shown)
    assert line["prompt_tokens"] == 17
    assert HIDDEN in line["detail"]
