"""What becomes of the channels that a configuration names."""

import pytest

from serinus.config import inspect, load
from serinus.config.channels import channels, heartbeat_url
from serinus.config.starter import starter
from serinus.service.notice_kinds import Severity, Wants

BASE = '[[model]]\nid = "author/name"\n'
HOOK = BASE + '[[notify]]\nname = "hook"\nkind = "webhook"\nurl_env = "U"\nsecret_file = "key"\n'
MAIL = BASE + '[[notify]]\nname = "mail"\nkind = "apprise"\nurl_env = "U"\nkinds = ["suspended"]\n'


@pytest.fixture
def write(tmp_path):
    def to(text, name="serinus.toml"):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return to


def test_a_channel_has_its_url_and_secret_from_where_the_file_says_and_shows_neither(write):
    write(" s3cret \n", "key")
    [hook], problems = channels(load(write(HOOK), {}), {"U": "https://ops.example/hook"})
    assert problems == ()
    assert hook.url.get_secret_value() == "https://ops.example/hook"
    assert hook.secret is not None
    assert hook.secret.get_secret_value() == "s3cret"
    assert "s3cret" not in repr(hook)
    assert "ops.example" not in repr(hook)


def test_the_notices_of_a_channel_are_chosen_by_their_words(write):
    [mail], _ = channels(load(write(MAIL), {}), {"U": "mailto://me:pass@example.org"})
    assert mail.wants == Wants(frozenset({"suspended"}))


def test_a_channel_may_be_told_only_what_is_grave_and_of_some_models(write):
    text = MAIL + 'severity = "warning"\nmodels = ["author/name"]\n'
    [mail], _ = channels(load(write(text), {}), {"U": "mailto://me:pass@example.org"})
    assert (mail.wants.least, mail.wants.models) == (Severity.WARNING, {"author/name"})
    other = inspect(write(text.replace('["author/name"]', '["author/nobody"]')), {"U": "mailto://a@b"})
    assert [p.path for p in other.problems] == ["notify[0].models[0]"]


def test_a_channel_that_cannot_be_opened_is_a_problem_and_no_hindrance_for_the_other_commands(write):
    file = write(MAIL)
    report = inspect(file, {})
    assert [p.path for p in report.problems] == ["U"]
    assert report.settings is not None
    assert load(file, {}).notify[0].name == "mail"


@pytest.mark.parametrize(
    "url", ["ftp://ops.example", "ops.example/hook", "http://[broken", "two urls", "//x"]
)
def test_a_webhook_posts_to_the_web_and_a_wrong_address_is_not_shown(write, url):
    write("s3cret", "key")
    found, [problem] = channels(load(write(HOOK), {}), {"U": url})
    assert found == ()
    assert "http:// or https:// URL" in problem.line()
    assert url not in problem.line()


@pytest.mark.parametrize(("held", "said"), [(b"", "an empty file"), (b"\xff", "bytes that are not text")])
def test_a_file_without_a_secret_is_told_by_its_path(write, tmp_path, held, said):
    (tmp_path / "key").write_bytes(held)
    _, [problem] = channels(load(write(HOOK), {}), {"U": "https://ops.example/hook"})
    assert problem.where == str(tmp_path / "key")
    assert problem.found == said


def test_the_heartbeat_is_there_only_if_it_is_named(write):
    assert heartbeat_url(load(write(BASE), {}), {}) == (None, ())
    settings = load(write(BASE + '[heartbeat]\nurl_env = "H"\n'), {})
    url, problems = heartbeat_url(settings, {"H": "https://watch.example/1"})
    assert url is not None
    assert (url.get_secret_value(), problems) == ("https://watch.example/1", ())
    assert heartbeat_url(settings, {"H": "watch.example"})[1][0].path == "H"


def test_channels_can_be_named_by_one_variable(write):
    tables = '[{"name": "ops", "kind": "apprise", "url_env": "U"}]'
    settings = load(write(BASE), {"SERINUS_NOTIFY": tables})
    assert [c.name for c in settings.notify] == ["ops"]


def test_the_starter_names_channels_and_opens_none(write):
    assert "# [[notify]]" in starter()
    assert load(write(starter()), {}).notify == ()
