import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from receiver import Receiver
from serinus.notify.apprise_url import AppriseUrl, body, title, tone
from serinus.service.courier import attempt
from serinus.service.links import Links
from serinus.service.ports import DeliveryError
from serinus.service.storage import Notice

AT = datetime(2026, 11, 30, tzinfo=UTC)
ONE = Notice("n1", AT, "would_suspend", "m", "alpha/fp8", "alpha/fp8 would be suspended.")


def test_a_url_that_apprise_does_not_know_fails_for_good_and_is_not_shown():
    with pytest.raises(DeliveryError, match="channel ops") as caught:
        asyncio.run(AppriseUrl("ops", "nonsense-secret-token").send([ONE]))
    assert caught.value.permanent
    assert "secret" not in str(caught.value)


def test_of_several_notices_the_gravest_is_first_and_each_says_what_happened_and_where():
    other = Notice("n2", AT, "below_floor", "m", None, "Too few.", severity="critical")
    assert body([ONE]) == "alpha/fp8 would be suspended."
    assert body([ONE, other]) == (
        "[critical] below floor m\nToo few.\n\n"
        "[info] would suspend alpha/fp8 of m\nalpha/fp8 would be suspended."
    )


def test_the_title_names_one_notice_and_counts_many_and_says_how_grave_the_worst_is():
    assert title([ONE]) == "[info] serinus: would suspend alpha/fp8 of m"
    assert title([ONE, replace(ONE, severity="warning")]) == "[warning] serinus: 2 notices"


def test_a_notice_leads_to_its_page_where_pages_are_reached():
    links = Links("https://canary.example.org/s/")
    assert body([ONE], links).splitlines()[-1] == (
        "https://canary.example.org/s/route?model=m&tag=alpha%2Ffp8"
    )
    assert links.of(replace(ONE, tag=None, model="a/b")) == "https://canary.example.org/s/model?id=a%2Fb"
    assert links.of(replace(ONE, tag=None, model=None)) == "https://canary.example.org/s/"


@pytest.mark.parametrize(
    ("severity", "resolves", "shown"),
    [
        ("info", None, "info"),
        ("info", "n0", "success"),
        ("warning", "n0", "warning"),
        ("critical", None, "failure"),
        ("of another release", None, "warning"),
    ],
)
def test_the_service_shows_how_grave_it_is(severity, resolves, shown):
    assert tone([replace(ONE, severity=severity, resolves=resolves)]) == shown


# The library looks for a module of Python's that 3.13 has no more.
@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    ("status", "permanent"), [(200, None), (302, True), (401, True), (404, True), (429, False), (500, False)]
)
def test_a_services_status_tells_a_refusal_for_good_and_redirects_are_not_followed(status, permanent):
    receiver = Receiver(lambda path, n: status)  # noqa: ARG005  the same for all

    async def send() -> DeliveryError | None:
        async with receiver.served():
            url = receiver.base.replace("http://", "json://") + "/secret?redirect=yes"
            return await attempt(AppriseUrl("ops", url), [ONE])

    error = asyncio.run(send())
    assert (error and error.permanent) is permanent
    assert [path for path, _, _ in receiver.got] == ["/secret"]
    if error is not None:
        assert str(status) in str(error)
        assert "secret" not in str(error)


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    ("url", "mode"),
    [
        ("discord://4174216298/JMHI8qBe7bk2ZwO5U711o3dV_js", "split"),
        (f"pagerduty://A{'b' * 31}@{'c' * 20}", "truncate"),
        ("discord://4174216298/JMHI8qBe7bk2ZwO5U711o3dV_js?overflow=truncate", "truncate"),
    ],
)
def test_what_is_too_long_for_a_service_is_no_refusal_for_good(url, mode):
    [target] = AppriseUrl("ops", url)._service()  # noqa: SLF001  what the library is given
    assert target.overflow_mode.value == mode


def test_a_channel_shows_its_url_to_nobody():
    assert "secret" not in repr(AppriseUrl("ops", "slack://secret"))
