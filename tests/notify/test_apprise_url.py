import asyncio
from datetime import UTC, datetime

import pytest

from receiver import Receiver
from serinus.notify.apprise_url import AppriseUrl, body, title
from serinus.service.courier import attempt
from serinus.service.ports import DeliveryError
from serinus.service.storage import Notice

AT = datetime(2026, 11, 30, tzinfo=UTC)
ONE = Notice("n1", AT, "would_suspend", "m", "alpha/fp8", "alpha/fp8 would be suspended.")


def test_a_url_that_apprise_does_not_know_fails_for_good_and_is_not_shown():
    with pytest.raises(DeliveryError, match="channel ops") as caught:
        asyncio.run(AppriseUrl("ops", "nonsense-secret-token").send([ONE]))
    assert caught.value.permanent
    assert "secret" not in str(caught.value)


def test_of_several_notices_each_says_what_happened_and_where():
    other = Notice("n2", AT, "below_floor", "m", None, "Too few.")
    assert body([ONE]) == "alpha/fp8 would be suspended."
    assert body([ONE, other]) == (
        "would suspend alpha/fp8 m\nalpha/fp8 would be suspended.\n\nbelow floor m\nToo few."
    )


def test_the_title_names_one_notice_and_counts_many():
    assert title([ONE]) == "serinus: would suspend alpha/fp8 m"
    assert title([ONE, ONE]) == "serinus: 2 notices"


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


def test_a_channel_shows_its_url_to_nobody():
    assert "secret" not in repr(AppriseUrl("ops", "slack://secret"))
