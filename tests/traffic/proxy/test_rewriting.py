"""What the proxy changes of a body: names in `provider.ignore`, and not one byte beside."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.traffic.proxy.asked import asked_of
from serinus.traffic.proxy.rewriting import Change, Excluded, Rewritten, with_excluded

OURS = Excluded(("cedar/fp4", "novita"))


def rewritten(body, excluded=OURS):
    return with_excluded(asked_of(body), excluded)


class Members(list):
    """An object as its members in order, duplicates kept."""


def read(text):
    """A body as written: numbers as their digits, objects as their members."""
    return json.loads(text, object_pairs_hook=Members, parse_int=str, parse_float=str, strict=False)


def expected(members, names):
    """The same, with the names: an oracle on values, where the code works on places."""
    if not any(key == "provider" for key, _ in members):
        return Members([("provider", Members([("ignore", list(names))])), *members])
    return Members((k, provider_with(v, names) if k == "provider" else v) for k, v in members)


def provider_with(said, names):
    if said is None:
        return Members([("ignore", list(names))])
    callers = [v for k, v in said if k == "ignore"]
    wanted = list(dict.fromkeys([*((callers or [[]])[-1] or []), *names]))
    if callers and set(wanted) == set(callers[-1] or []):
        return said
    if not callers:
        return Members([("ignore", wanted), *said])
    return Members((k, list(dict.fromkeys([*(v or []), *wanted])) if k == "ignore" else v) for k, v in said)


BLANK = st.sampled_from(["", "", " ", "\n", "\t \r\n"])
SCALAR = st.sampled_from(
    [
        *("null", "true", "0", "-0", "1e400", "123456789012345678901234567890", "0.10", "1E+2"),
        *('"a"', '"\\u00e9\\ud83d"', '"\\\\\\""', '"}],{"', '"\\/"', '"ignore"', '""', '"日本\u2028"'),
    ]
)
KEYS = st.sampled_from(['"a"', '"messages"', '"model"', '"\\u006dodel"', '"stream"', '"ignore"', '"\\""'])
NAMES = st.lists(st.sampled_from(['"novita"', '"azure"', '"\\u006eovita"', '"cedar/fp4"']), max_size=3)


@st.composite
def enclosed(draw, inner, marks):
    pieces = [f"{draw(BLANK)}{draw(inner)}{draw(BLANK)}" for _ in range(draw(st.integers(0, 3)))]
    return marks[0] + (",".join(pieces) or draw(BLANK)) + marks[1]


@st.composite
def member(draw, keys, values):
    return f"{draw(keys)}{draw(BLANK)}:{draw(BLANK)}{draw(values)}"


def objects(keys, values):
    return enclosed(member(keys, values), "{}")


VALUE = st.recursive(SCALAR, lambda inner: enclosed(inner, "[]") | objects(KEYS, inner), max_leaves=8)
IGNORE = NAMES.map(lambda names: f"[ {', '.join(names)}\n]") | st.just("null")
PREFERENCES = enclosed(
    member(st.just('"sort"'), SCALAR) | member(st.sampled_from(['"ignore"', '"i\\u0067nore"']), IGNORE), "{}"
)
PROVIDER = member(st.sampled_from(['"provider"', '"\\u0070rovider"']), PREFERENCES | st.just("null"))
BODY = enclosed(member(KEYS, VALUE) | PROVIDER, "{}")


@given(BODY, BLANK, BLANK)
def test_everything_but_the_list_is_as_it_was(text, before, after):
    body = f"{before}{text}{after}".encode()
    done = rewritten(body)
    assert done.change is not Change.UNREADABLE
    assert read(done.body) == expected(read(body), OURS.names)
    kept = iter(done.body)  # and byte for byte: what came is in what goes, in order
    assert all(byte in kept for byte in body.replace(b"null", b""))


@given(BODY)
def test_a_second_time_nothing_is_left_to_add(text):
    once = rewritten(text.encode()).body
    again = rewritten(once)
    assert again.body is once
    assert again.change is Change.NOTHING


@given(st.binary(max_size=60))
def test_what_is_no_object_goes_on_untouched(body):
    asked = asked_of(body)
    assert asked.readable or with_excluded(asked, OURS) == Rewritten(body, Change.UNREADABLE)


def test_nothing_excluded_is_the_same_object():
    body = b'{"model": "acme/story-70b"}'
    assert rewritten(body, Excluded()).body is body


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        (b"{}", b'{"provider":{"ignore":["cedar/fp4","novita"]}}'),
        (b' { "a":1}', b' {"provider":{"ignore":["cedar/fp4","novita"]}, "a":1}'),
        (b'{"provider":null}', b'{"provider":{"ignore":["cedar/fp4","novita"]}}'),
        (
            b'{"provider": {"sort":"price"} }',
            b'{"provider": {"ignore":["cedar/fp4","novita"],"sort":"price"} }',
        ),
        (b'{"provider":{"ignore":[ "x" ]}}', b'{"provider":{"ignore":[ "x" ,"cedar/fp4","novita"]}}'),
        (b'{"provider":{"ignore":["novita"]}}', b'{"provider":{"ignore":["novita","cedar/fp4"]}}'),
        (b'{"provider":{"ignore":[]}}', b'{"provider":{"ignore":["cedar/fp4","novita"]}}'),
        (
            b'{"provider":{"a":1},"provider":{}}',
            b'{"provider":{"ignore":["cedar/fp4","novita"],"a":1},"provider":{"ignore":["cedar/fp4","novita"]}}',
        ),
    ],
)
def test_names_go_beside_the_callers_own(body, changed):
    assert rewritten(body).body == changed


@pytest.mark.parametrize(
    "body",
    [
        b'{"provider":"novita"}',
        b'{"provider":[]}',
        b'{"provider":{"ignore":"novita"}}',
        b'{"provider":{"ignore":[1]}}',
        b'{"provider":{"ignore":{}}}',
    ],
)
def test_a_field_of_a_wrong_kind_is_left_for_the_gateway_to_refuse(body):
    done = rewritten(body)
    assert done.body is body
    assert done.change is Change.UNREADABLE


@pytest.mark.parametrize("body", [b'{"m":"\\ud800","n":NaN}', b'{"m":"\\x"}', b'{"m":"\xff"}', b'{"m":01}'])
def test_what_a_strict_parser_refuses_gets_the_list_all_the_same(body):
    """Python writes lone surrogates and NaN; a gateway that reads them must read the list too."""
    assert rewritten(body).body == b'{"provider":{"ignore":["cedar/fp4","novita"]},' + body[1:]


def test_a_value_that_begins_like_a_later_one_is_not_taken_for_it():
    body = b'{"provider":{"n":12,"n":1,"ignore":["x"]}}'
    assert rewritten(body).body == b'{"provider":{"n":12,"n":1,"ignore":["x","cedar/fp4","novita"]}}'


def test_a_pin_to_suspended_routes_alone_is_honoured_and_what_people_excluded_stays_out():
    pinned = b'{"provider":{"only":["novita"]}}'
    assert rewritten(pinned).body is pinned
    done = rewritten(pinned, Excluded(("cedar/fp4", "novita"), ("cedar/fp4",)))
    assert done.body == b'{"provider":{"ignore":["cedar/fp4"],"only":["novita"]}}'


def test_nesting_without_end_is_no_trouble():
    deep = b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    assert rewritten(deep).body.startswith(b'{"provider":')
    assert (
        rewritten(b'{"provider":{"x":' + b"[" * 200_000 + b"]" * 200_000 + b"}}").change is Change.UNREADABLE
    )


def test_what_a_body_asks_is_read_without_changing_it():
    asked = asked_of(
        b'{"model":"a/b:nitro","models":["c/d","a/b:nitro",7],"stream":true,"user":"u","session_id":"s"}'
    )
    assert asked.models == ("a/b:nitro", "c/d")
    assert asked.stream
    assert asked.conversation == "s"
    assert not asked.preset


@pytest.mark.parametrize(
    "body", [b'{"model":"@preset/x"}', b'{"model":"a/b@preset/x"}', b'{"model":"a/b","preset":"x"}']
)
def test_a_preset_is_seen(body):
    assert asked_of(body).preset
