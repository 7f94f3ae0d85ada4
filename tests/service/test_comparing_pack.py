"""The evidence pack: enough to see it again, without a key, and inert whatever a host wrote."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from dataclasses import replace

from compared import held, sick, world
from serinus.service.comparing.markdown import fenced, markdown, plain
from serinus.service.comparing.pack import curl, pack

HOSTILE = (
    ", \x1b[31mred\x07 ```\n# A heading <script>alert(1)</script>\n"
    "| cell | [link](http://evil.example) @everyone \u202egnp\n"
    + "The lamp is lit, and the keeper waits. "
    * 12
)


def packed(script=sick, **more):
    _, hands = world(script)
    return pack(held(hands, **more))


def test_it_says_what_was_done_what_came_of_it_and_shows_answers():
    readme = packed()["README.md"]
    assert "The fault follows the endpoint iris: 8/8 here, 0/32 on 4 others" in readme
    assert "pinned to one route with fallbacks off" in readme
    assert re.search(r"### iris: fail \(opening\\_stray\\_punctuation\)", readme)
    assert re.search(r"### (amber|birch|cedar|dune): pass", readme)
    assert "generation gen-" in readme


def test_its_results_are_the_whole_comparison():
    results = json.loads(packed()["results.json"])
    assert results["verdict"]["blamed"] == ["iris"]
    assert {r["tag"]: r["failed"] for r in results["routes"]}["iris"] == 8
    assert results["samples"][0]["by_hand"]["body"]["provider"]["allow_fallbacks"] is False


def test_its_curl_lines_leave_the_key_to_whoever_calls_them(tmp_path):
    script = packed()["repeat.sh"]
    assert script.count('-H "Authorization: Bearer $OPENROUTER_API_KEY"') == 7
    assert "sk-" not in script
    fake = tmp_path / "curl"
    fake.write_text('#!/bin/sh\nfor a in "$@"; do last="$a"; done\nprintf "%s\\n" "$last" >>"$OUT"\n')
    fake.chmod(0o755)
    (tmp_path / "repeat.sh").write_text(script)
    environ = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "OPENROUTER_API_KEY": "k",
        "OUT": str(tmp_path / "out"),
    }
    subprocess.run(["/bin/sh", tmp_path / "repeat.sh"], env=environ, check=True, timeout=20)
    bodies = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert len(bodies) == 7
    assert all(b["provider"]["only"] == b["provider"]["order"] for b in bodies)


def test_a_body_cannot_break_out_of_its_curl_line():
    nasty = {"messages": [{"role": "user", "content": "'; touch /tmp/pwned; echo '\u202e\x1b$(id)`id`"}]}
    line = curl(
        {
            "url": "https://gateway.example/v1'; id; '",
            "headers": {"X-Odd'; id": "'$(id)"},
            "body": nasty,
            "key": "API_KEY",
        }
    )
    words = shlex.split(line)
    assert words[0] == "curl"
    assert json.loads(words[-1]) == nasty
    assert line.isascii()
    assert line.isprintable()


def test_hostile_answers_are_shown_and_never_obeyed():
    files = packed(lambda tag, p: HOSTILE if tag == "iris" else sick(tag, p))
    readme = files["README.md"]
    assert all(c.isprintable() or c == "\n" for c in readme)
    block = readme[readme.index("### iris") :]
    fence = re.search(r"^(`{4,})text$", block, re.MULTILINE)
    assert fence
    inside = block[fence.end() : block.index(f"\n{fence[1]}\n", fence.end())]
    assert "<script>" in inside
    assert "<script>" not in block.replace(inside, "", 1).split("###")[1]


def test_text_of_hosts_is_no_markup_outside_blocks():
    assert plain("*a* _b_ [c](d) <e> |f| `g` @h http://i") == (
        r"\*a\* \_b\_ \[c\](d) \<e\> \|f\| \`g\` \@h http\://i"
    )
    assert plain("a\nb\x1b") == r"a⏎b\\x1b"
    assert fenced("a ````` b")[0] == "``````text"


def test_a_route_with_a_hostile_name_stays_in_its_cell():
    gateway, hands = world()
    first = gateway.offers[0]
    evil = replace(first, route=replace(first.route, tag="iris|x\n# y"))
    gateway.offers = (evil, *gateway.offers[1:])
    lines = markdown(held(hands)).splitlines()
    assert [line for line in lines if line.startswith("# ")] == [lines[0]]
    assert any(line.startswith(r"| iris\|x⏎# y |") for line in lines)
