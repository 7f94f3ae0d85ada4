"""The first graphemes of an answer: marks, fragments and labels that do not belong there.

The fault is a host's, not a prompt's: one host opened 19 of 20 answers so, 14 others 0 of 49. What a language
begins with rightly is let pass: quotation and dash dialogue, inverted marks, ellipses, Markdown, kaomoji.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain
from math import log
from types import MappingProxyType
from typing import Final

from serinus.text.injections import find_acknowledgement, longest_echo
from serinus.text.languages import Language, languages
from serinus.text.scripts import LETTERS, MARKS, runs
from serinus.text.signs import Sign
from serinus.text.templates import find_role_first, find_tokens
from serinus.text.words import FLOOR, table

HEAD: Final = 120  # characters looked at
TOKEN_HEAD: Final = 60  # a control token that ends before this opens the answer
FRAGMENT: Final = 7  # letters of a fragment: longer runs are words or names
LATIN_FRAGMENT: Final = 8
BLANKS: Final = 8  # one or two leading line ends are common; more is a flood
CONTINUED: Final = 6  # words of the instructions in a row that are no quotation of them
CONTINUED_WITHIN: Final = 200
GRAMMAR: Final = log(1.5e-3)  # words this frequent are grammar, never a name

# Marks that close, separate or belong between words. Marks that may open stand in none of these.
_CLOSING: Final = frozenset(",;:!?)]}&%^|/\\=+.。，、；：！？）］｝】》」』〉〕〗·،؛؟।%۔")
# Odd at the start, yet seen in healthy chat now and then: a doubt.
_ODD: Final = frozenset("@{$€£¥§©®™°¬¦")
_LEGAL: Final = re.compile(
    r"""[:;=8xX]['’]?-?[)(DdPpOo3|/\\*]+(?=\s|$|\W)  # kaomoji
    |:[a-z_]{2,30}:                                # :smile:
    |!\[ | /me\b | /\*?\w+\*?/                     # picture, action, /slanted/
    |\+?\d | \.\d | %?\d                           # numbers
    |\.(?:[ ]?\.){2} | …                            # ellipsis, also spaced
    |=+\s\S.*=\s*$                                 # == heading ==
    |,,\s?\w                                        # low quotation marks typed as commas
    |[|]\s*[^|\n]+[|]                              # a table row
    |/{2,}|={3,}|\+{3,}                            # drawn rule
    """,
    re.VERBOSE | re.MULTILINE,
)
_SHOUT: Final = re.compile(r"[!?！？]{2,}")
_QUOTE_THEN_MARK: Final = re.compile(
    r"""["“”„«]\s*(?:[,;:)\]}]|\.(?!\.)|[!?](?![!?.…\s]*["”»])) | ['‘’]\s*[,;)\]}]""", re.VERBOSE
)
# A pause may open an answer, a pause with a closing mark glued to the first word may not; "…:D" is a face.
_PAUSE_THEN_MARK: Final = re.compile(
    r"""(?:…|\.{3})(?!:['’]?-?[DPpOo3](?!\w))[:;)\]】」』]["'*_“„«「『—–-]?\w"""
)
# What an answer itself may begin with, and before which a fragment stands as it stands before a word.
_OPENERS: Final = re.compile(r"[*_\"“„«「『¿¡—–]+[ \t]?")
_DASHED: Final = re.compile(r"[—–]")
_CAMEL_NAMES: Final = re.compile(
    r"(?:iPhone|iPad|iPod|iMac|iOS|iTunes|eBay|macOS|tvOS|mRNA|tRNA|pH|kHz|mAh|dB|kWh)\b"
)

_TABLES: Final = MappingProxyType(
    {"Cyrl": ("ru", "uk"), "Arab": ("ar", "fa"), "Deva": ("hi",), "Grek": ("el",)}
)

_MARK_FIRST: Final = re.compile(f"[{MARKS}]")
_FIRST_WORDS: Final = re.compile(
    rf"""(?P<bit>[{LETTERS["Latn"]}]{{2,{LATIN_FRAGMENT}}})(?:[ \t]+|[*_"“„«¿¡]+)(?P<next>\w)"""
)


def find_opening(text: str, language: Language | None, asked: str = "", prompt: str = "") -> Iterator[Sign]:
    """What is wrong with the first characters, the surest first.

    `asked` is all that was sent, `prompt` the user's part of it.
    """
    body = text.lstrip("\ufeff\u200b \t\r\n\u3000\xa0")
    at = len(text) - len(body)
    if not body:
        return
    head = body[:HEAD]
    for sign in find_tokens(head, prompt, asked):
        if sign.spans[0][0] < TOKEN_HEAD and sign.code in {
            "leak_control_token",
            "leak_channel",
            "leak_template",
        }:
            yield Sign("opening_control_token", True, sign.detail, [_moved(sign.spans[0], at)])
    role = find_role_first(text, prompt)
    if role is not None:
        yield Sign("opening_role_label", True, role.detail, role.spans)
    note = find_acknowledgement(body)
    if note is not None:
        yield Sign("opening_acknowledgement", True, note.detail, [_moved(note.spans[0], at)])
    yield from _marks(body, at)
    if language is not None:
        yield from _fragments(head, at, language)
    yield from _continued(text, at, asked)
    flood = len(text) - len(text.lstrip())
    if flood > BLANKS:
        yield Sign(
            "opening_blank_flood", False, f"{flood} blanks and line ends precede the text.", [(0, flood)]
        )


def _moved(span: tuple[int, int], by: int) -> tuple[int, int]:
    return span[0] + by, span[1] + by


def _marks(body: str, at: int) -> Iterator[Sign]:
    first = body[0]
    span = [(at, at + 1)]
    if _MARK_FIRST.match(first):
        yield Sign(
            "opening_combining_mark", True, "The first character is a mark without a letter to bear it.", span
        )
        return
    stray = Sign("opening_stray_punctuation", True, f"The answer begins with {first!r}.", span)
    doubt = Sign("opening_stray_punctuation", False, f"The answer begins with {first!r}.", span)
    if _QUOTE_THEN_MARK.match(body) or _PAUSE_THEN_MARK.match(body) or body.startswith("*/"):
        yield stray
    elif _LEGAL.match(body):
        return
    elif first in _CLOSING:
        yield doubt if _SHOUT.match(body) or body.startswith("..") else stray
    elif first in _ODD:
        yield doubt
    elif first in "`<_”’»›":
        sure = _unpaired(body, first)
        if sure is not None:
            yield stray if sure else doubt


def _unpaired(body: str, first: str) -> bool | None:
    """Whether a mark that opens only in pairs stands alone: surely, perhaps (False), or not (None)."""
    line = body.split("\n", 1)[0]
    if first == "`":
        fence = body.startswith("```")
        return None if (body.count("```") > 1 if fence else line.count("`") > 1) else True
    if first == "<":
        return None if re.match(r"<[^<>\n]{1,60}>|<3", body) else True
    if first == "_":
        return None if line.count("_") > 1 else False
    if first == "’":
        return None if re.match(r"’\w", body) else False
    # ”…” is Swedish and Finnish, ”…“ and »…« are found in German, Polish, Danish and some Hindi books.
    partner = {"”": "”“", "»": "«»", "›": "‹›"}[first]
    return None if any(mark in body[1:240] for mark in partner) else True


@cache
def _fragments_of(kind: str) -> Mapping[str, Sequence[str]]:
    """The endings by language, or the grammar by script, of `data/fragments.toml`."""
    raw = files("serinus.text").joinpath("data/fragments.toml").read_text(encoding="utf-8")
    fragments: Mapping[str, Sequence[str]] = tomllib.loads(raw)[kind]
    return fragments


@cache
def _endings() -> frozenset[str]:
    return frozenset(chain.from_iterable(_fragments_of("endings").values()))


@cache
def _words_of(script: str) -> frozenset[str]:
    """Frequent words of a script, which are grammar and no names."""
    bits = frozenset(_fragments_of("grammar").get(script, ()))
    tables = [table(code) for code in _TABLES.get(script, ())]
    return bits | {word for words in tables for word, frequency in words.items() if frequency > GRAMMAR}


def _fragments(head: str, at: int, language: Language) -> Iterator[Sign]:
    found = list(runs(head))
    if not found:
        return
    run = found[0]
    bit = head[run.start : run.end]
    again = any(other.script == run.script for other in found[1:])  # then it is no fragment but mixing
    if run.start <= 1 and run.script not in language.scripts and len(found) > 1 and not again:
        gap = head[run.end : found[1].start]
        before_text = gap.strip(" \t") == "" or (run.start == 0 and _OPENERS.fullmatch(gap) is not None)
        if found[1].script in language.scripts and before_text and len(bit) <= LATIN_FRAGMENT:
            yield from _foreign_bit(run.script, bit, gap, (at + run.start, at + run.end))
    elif run.start <= 1 and run.script == "Latn":
        yield from _latin_bit(head[run.start :], at + run.start, language)


def _foreign_bit(script: str, bit: str, gap: str, span: tuple[int, int]) -> Iterator[Sign]:
    """A run of another script directly before the text, or before the mark that the text begins with."""
    detail = "The answer begins with a fragment of another script."
    glued = not gap[:1].isspace()
    # A word list has "猫—cat"; before an action or a quotation a character may say a word of another tongue.
    may_be = _DASHED.match(gap) is not None or (gap != "" and glued and _said(script, bit))
    if script == "Latn":
        if not bit[0].islower() or _CAMEL_NAMES.match(bit):
            return
        low = bit.lower()
        known = any(low in table(x.code) for x in languages().values() if x.words and "Latn" in x.scripts)
        sure = low in _endings() or (glued and not may_be and not known)
        if sure or glued or not known:
            yield Sign("opening_foreign_fragment", sure, detail, [span])
        return
    if len(bit) > FRAGMENT:
        return
    cased = script in {"Cyrl", "Grek"}
    part = bit.lower() in _words_of(script) or (cased and bit[0].islower())
    sure = part and not _said(script, bit) if gap.strip() else part
    sure = sure or (glued and not may_be)
    yield Sign("opening_foreign_fragment", sure, detail, [span])


def _said(script: str, bit: str) -> bool:
    """Whether a run may be something that a character says by itself: an interjection, or a name."""
    return bit.lower() in _fragments_of("interjections").get(script, ()) or bit[0].isupper()


def _latin_bit(head: str, at: int, language: Language) -> Iterator[Sign]:
    """The rest of a word, glued to a capital or set before one."""
    if _CAMEL_NAMES.match(head):
        return
    glued = re.match(r"[^\W\d_]+(?:['’][^\W\d_]+)?", head)
    word = glued.group() if glued else ""
    turn = next((i for i in range(1, len(word)) if word[i - 1].islower() and word[i].isupper()), 0)
    if word[:1].islower() and 0 < turn <= LATIN_FRAGMENT and word[:turn].islower():
        sure = turn > 1 and (len(word) > turn + 1 or head[len(word) : len(word) + 1] == " ")
        yield Sign(
            "opening_cut_word", sure, "The rest of a word is glued to the first one.", [(at, at + turn)]
        )
        return
    first = _FIRST_WORDS.match(head)
    if first is None or not first["bit"].islower() or not first["next"].isupper():
        return
    bit, marked = first["bit"], not head[len(first["bit"])].isspace()
    if language.words and table(language.code).get(bit, FLOOR) > FLOOR:
        return
    unknown = all(bit not in table(x.code) for x in languages().values() if x.words and "Latn" in x.scripts)
    if bit in _endings() or unknown:
        yield Sign(
            "opening_cut_word",
            bit in _endings() and not (marked and _said("Latn", bit)),
            "The answer begins with the rest of a word.",
            [(at, at + len(bit))],
        )


def _continued(text: str, at: int, asked: str) -> Iterator[Sign]:
    """The answer goes on with the instructions, from the middle of a word or sentence."""
    if not asked or at >= len(text) or not text[at].islower():
        return
    echo = longest_echo(text[: at + CONTINUED_WITHIN], asked, CONTINUED)
    if echo is not None:
        yield Sign(
            "opening_continues_prompt",
            True,
            f"The answer begins in lower case and repeats {echo[0]} words of the instructions.",
            [echo[1]],
            {"words": echo[0], "needed": CONTINUED},
        )


def starts_lower(text: str) -> bool:
    """Whether an answer begins in mid-sentence: a small first letter, and capitals where sentences begin."""
    body = text.lstrip()
    if not body or not body[0].islower():
        return False
    return re.search(r"[.!?]['\"”»]?\s+['\"“«„—-]*\s*[^\W\d_]", body) is not None and not _all_lower(body)


def _all_lower(body: str) -> bool:
    starts = re.findall(r"(?:[.!?]['\"”»]?\s+|\n)['\"“«„—*-]*\s*([^\W\d_])", body)
    return not any(letter.isupper() for letter in starts)
