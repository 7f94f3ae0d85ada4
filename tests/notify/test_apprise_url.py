import asyncio
from datetime import UTC, datetime

import pytest

from serinus.notify.apprise_url import AppriseUrl, title
from serinus.service.ports import DeliveryError
from serinus.service.storage import Notice

AT = datetime(2026, 11, 30, tzinfo=UTC)
ONE = Notice("n1", AT, "would_suspend", "m", "alpha/fp8", "alpha/fp8 would be suspended.")


def test_a_url_that_apprise_does_not_know_fails_for_good_and_is_not_shown():
    with pytest.raises(DeliveryError, match="channel ops") as caught:
        asyncio.run(AppriseUrl("ops", "nonsense-secret-token").send([ONE]))
    assert caught.value.permanent
    assert "secret" not in str(caught.value)


def test_the_title_names_one_notice_and_counts_many():
    assert title([ONE]) == "serinus: would suspend alpha/fp8 m"
    assert title([ONE, ONE]) == "serinus: 2 notices"
