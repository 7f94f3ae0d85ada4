"""What the gateway's response-healing plugin does to a JSON answer."""

from __future__ import annotations

import json
import re


def repaired(text: str) -> str:
    """The first JSON object in the text alone; the text itself where there is none."""
    fenced = re.search(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
    candidate = fenced[1] if fenced else text[text.find("{") :] if "{" in text else text
    try:
        document, _ = json.JSONDecoder().raw_decode(candidate.strip())
    except ValueError:
        return text
    return json.dumps(document, ensure_ascii=False)
