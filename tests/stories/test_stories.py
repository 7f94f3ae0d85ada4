"""Every story of this folder's text files: a claim, and under it one line that shows it."""

import itertools
from pathlib import Path

import pytest

from stories.timeline import check

FILES = sorted(Path(__file__).parent.glob("*.txt"))


def stories():
    for file in FILES:
        lines = file.read_text(encoding="utf-8").splitlines()
        for claim, story in itertools.pairwise(lines):
            if story.startswith("    "):
                yield pytest.param(story.strip(), id=f"{file.stem}: {claim}")


@pytest.mark.parametrize("story", list(stories()))
def test_story(story):
    check(story)


def test_no_claim_is_made_twice():
    claims = [s.id for s in stories()]
    assert len(claims) == len(set(claims))
