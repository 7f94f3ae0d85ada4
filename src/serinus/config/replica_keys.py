"""The keys of one's own servers, from the variables and files that the configuration names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from serinus.config.kept import Kept
from serinus.config.problems import Problem
from serinus.config.replica import Replica


def replica_keys(
    replicas: Sequence[Replica], environ: Mapping[str, str]
) -> tuple[dict[tuple[str, str], SecretStr], tuple[Problem, ...]]:
    """Each key by (model, tag) of its replica; and the problems of those whose key is not where they say."""
    found: dict[tuple[str, str], SecretStr] = {}
    problems: list[Problem] = []
    for replica in replicas:
        kept = Kept(f"the key of replica {replica.tag}", replica.api_key_env, replica.api_key_file, environ)
        text = kept.text() if kept.named else None
        if text is not None:
            found[replica.model, replica.tag] = SecretStr(text)
        elif kept.named:
            problems += kept.problems()
    return found, tuple(problems)
