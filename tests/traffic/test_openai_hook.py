"""The body of a request with the names in it, whatever body that is."""

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.traffic.client import Exclusions
from serinus.traffic.openai_hook import edited_body, event_hooks
from traffic.client.lists import MODEL, Time, excluded, suspended, written


@pytest.fixture(scope="module")
def exclusions(tmp_path_factory):
    path = tmp_path_factory.mktemp("lists") / "lists.json"
    path.write_bytes(written(suspended("birch")))
    with Exclusions(path, cache=False, clocks=Time().clocks) as found:
        yield found


LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9)
VALUE = st.recursive(
    LEAF, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=5), v, max_size=3)
)


@given(
    st.dictionaries(st.text(max_size=9), VALUE, max_size=4), st.sampled_from([None, 1, " \t"]), st.booleans()
)
def test_all_but_the_new_field_stays(exclusions, rest, indent, ascii_):
    body = {name: value for name, value in rest.items() if name not in {"provider", "preset", "models"}}
    body["model"] = MODEL
    content = json.dumps(body, indent=indent, ensure_ascii=ascii_).encode("utf-8", "backslashreplace")
    edited = edited_body(exclusions, content)
    assert edited.replace(b'"provider":{"ignore":["birch"]},', b"", 1) == content
    assert json.loads(edited) == {**body, "provider": {"ignore": ["birch"]}}


@given(st.dictionaries(st.sampled_from(["sort", "only", "order", "x"]), VALUE, max_size=3))
def test_a_provider_object_of_the_callers_keeps_what_it_says(exclusions, provider):
    edited = json.loads(edited_body(exclusions, json.dumps({"model": MODEL, "provider": provider}).encode()))
    assert {**edited["provider"], "ignore": None} == {**provider, "ignore": None}


@pytest.mark.parametrize(
    "content",
    [b"[]", b"null", b'"x"', b'{"model": "acme/tale-8b"}', b'{"model":"acme/story-70b","provider":1}'],
)
def test_a_body_to_which_nothing_is_added_is_the_same_object(exclusions, content):
    assert edited_body(exclusions, content) is content


def test_an_empty_object_stays_json(tmp_path):
    path = tmp_path / "lists.json"
    path.write_bytes(written(excluded("birch", model=None)))
    with Exclusions(path, cache=False, clocks=Time().clocks) as everywhere:
        assert edited_body(everywhere, b" { }") == b' {"provider":{"ignore":["birch"]} }'


class Request:
    """As far as the hook looks at one."""

    def __init__(self, method, url, *, headers=(), content=b"", extensions=None):
        self.method, self.url, self.content = method, url, content
        self.headers = SimpleNamespace(raw=list(headers))
        self.extensions = extensions


def url(host, path="/api/v1/chat/completions"):
    return SimpleNamespace(host=host.split(":")[0], netloc=host.encode(), path=path)


BODY = json.dumps({"model": MODEL}).encode()


@pytest.mark.parametrize(
    ("request_", "host", "edited"),
    [
        (Request("POST", url("openrouter.ai"), content=BODY), None, True),
        (Request("POST", url("eu.openrouter.ai"), content=BODY), None, True),
        (Request("POST", url("evil-openrouter.ai"), content=BODY), None, False),
        (Request("POST", url("api.openai.com"), content=BODY), None, False),
        (Request("POST", url("openrouter.ai"), content=BODY), "127.0.0.1:8765", False),
        (Request("POST", url("127.0.0.1:8765"), content=BODY), "127.0.0.1:8765", True),
        (Request("POST", url("openrouter.ai", "/api/v1/responses"), content=BODY), None, True),
        (Request("POST", url("openrouter.ai", "/api/v1/messages"), content=BODY), None, True),
        (Request("POST", url("openrouter.ai", "/api/v1/files"), content=BODY), None, False),
        (Request("GET", url("openrouter.ai"), content=BODY), None, False),
        (Request("POST", url("openrouter.ai"), content=b"--boundary"), None, False),
        (Request("POST", url("openrouter.ai"), content=b"\xff\xfe{\0}\0"), None, False),
        (Request("POST", None, content=BODY), None, False),
    ],
)
def test_only_requests_to_the_gateways_own_endpoints_are_edited_and_none_is_lost(
    exclusions, request_, host, edited
):
    before = request_.content
    (hook,) = event_hooks(exclusions, host)["request"]
    hook(request_)
    assert (request_.content != before) is edited
