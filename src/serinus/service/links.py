"""Where a notice's page is, for whoever reads it far from a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from serinus.service.storage import Notice


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses of pages under the one by which operators reach them; none where there is none."""

    base: str | None = None

    def of(self, notice: Notice) -> str | None:
        """The page that shows what a notice is of: the route, else the model, else the overview."""
        if self.base is None:
            return None
        base = self.base.rstrip("/")
        if notice.model is None:
            return f"{base}/"
        if notice.tag is None:
            return f"{base}/model?{urlencode({'id': notice.model})}"
        return f"{base}/route?{urlencode({'model': notice.model, 'tag': notice.tag})}"


NOWHERE = Links()
