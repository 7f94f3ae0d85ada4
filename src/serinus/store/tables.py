"""The tables, in types that SQLite and PostgreSQL both have.

Instants are whole microseconds since 1970 (exact, sortable, the same everywhere), documents are JSON
text: PostgreSQL's own JSON type would refuse U+0000 and lone surrogates, which hosts do send.
A change here needs a migration; a test compares the two.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
)

METADATA: Final = MetaData()
SERIAL: Final = BigInteger().with_variant(Integer(), "sqlite")  # there only INTEGER counts by itself

META: Final = Table(
    "meta",
    METADATA,
    Column("one", SmallInteger, CheckConstraint("one = 1", name="meta_one"), primary_key=True),
    Column("last_seq", BigInteger, nullable=False),  # moved with the log: whoever decides compares it
    Column("written_by", Text, nullable=False),  # the release that made or last migrated the tables
)

ENTRY: Final = Table(
    "entry",
    METADATA,
    Column("seq", SERIAL, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("model", Text),
    Column("kind", Text, nullable=False),
    Column("version", SmallInteger, nullable=False),
    Column("document", Text, nullable=False),
    Index("entry_kind", "kind", "seq"),  # decisions are few among counted rounds
)

MARK: Final = Table(
    "mark",
    METADATA,
    Column("id", SERIAL, primary_key=True),
    Column("seq", SERIAL, ForeignKey("entry.seq"), nullable=False),
    Column("right", Boolean),
    Column("by", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

ROUND: Final = Table(
    "round",
    METADATA,
    Column("id", SERIAL, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("model", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("closed_at", BigInteger),
    Column("routes", Integer, nullable=False),
    Column("cost", Float, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("trouble", Text),
    Column("probes", Integer, nullable=False, server_default="0"),
    Index("round_model_at", "model", "at"),
    Index("round_model_number", "model", "number", unique=True),
    Index("round_at", "at"),
    Index("round_state", "state"),
)

FINDING: Final = Table(
    "finding",
    METADATA,
    Column("round_id", SERIAL, ForeignKey("round.id"), primary_key=True),
    Column("tag", Text, primary_key=True),
    Column("contract", Text, primary_key=True),
    Column("word", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("evidence", Text),  # null for the empty document: most findings are passes
    Column("language", Text),
    Column("first_text", Float),
    sqlite_with_rowid=False,  # stored in the order it is read in: by round, then by route
)

# A round's words, a letter a route and contract: a page shows a day of every model.
GLANCE: Final = Table(
    "glance",
    METADATA,
    Column("id", SERIAL, ForeignKey("round.id"), primary_key=True, autoincrement=False),
    Column("model", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("document", Text, nullable=False),
    Index("glance_at", "at"),
    Index("glance_model_at", "model", "at"),
)

TRANSCRIPT: Final = Table(
    "transcript",
    METADATA,
    Column("id", SERIAL, primary_key=True),
    Column("round_id", SERIAL, ForeignKey("round.id"), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("model", Text, nullable=False),
    Column("tag", Text, nullable=False),
    Column("probe", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("anomaly", Boolean, nullable=False),
    Column("document", LargeBinary, nullable=False),  # deflated JSON: a stream's events repeat themselves
    Index("transcript_route", "model", "tag", "at"),
    Index("transcript_at", "at"),
)

OWED: Final = Table(
    "owed",
    METADATA,
    Column("model", Text, primary_key=True),
    Column("tag", Text, primary_key=True),
    Column("document", Text, nullable=False),
)

# What stands of a model until it is replaced: `listing`, the last good one; `prompts`, their record.
# Of no model (""): `fold`, that of the log up to some entry, so that not every reader has to fold it all.
STANDING: Final = Table(
    "standing",
    METADATA,
    Column("model", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("document", Text, nullable=False),
)

SPENDING: Final = Table(
    "spending",
    METADATA,
    Column("id", SERIAL, primary_key=True),
    Column("what", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("cost", Float, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Index("spending_at", "at"),
)

NOTICE: Final = Table(
    "notice",
    METADATA,
    Column("id", SERIAL, primary_key=True),
    Column("key", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("model", Text),
    Column("tag", Text),
    Column("text", Text, nullable=False),
    Column("resolves", Text),
    Column("severity", Text),  # null for a notice of a release that knew none
    Column("facts", Text),
    Index("notice_key", "key"),
    Index("notice_resolves", "resolves"),
    Index("notice_at", "at"),
    sqlite_autoincrement=True,  # an id is never given again: a courier may still hold it
)

DELIVERY: Final = Table(
    "delivery",
    METADATA,
    Column("channel", Text, primary_key=True),
    Column("notice_id", SERIAL, ForeignKey("notice.id", ondelete="CASCADE"), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("delivery_notice", "notice_id"),
)

DISABLED: Final = Table(
    "disabled",
    METADATA,
    Column("channel", Text, primary_key=True),
    Column("why", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

DAY: Final = Table(
    "rollup_day",
    METADATA,
    Column("model", Text, primary_key=True),
    Column("day", Date, primary_key=True),
    Column("tag", Text, primary_key=True),
    Column("contract", Text, primary_key=True),
    Column("words", Text, nullable=False),
    Column("first_text", Text),
    sqlite_with_rowid=False,
)

# The route ledger: what the proxy forwarded, and who served it. Never a word of what was said.
SERVED: Final = Table(
    "served",
    METADATA,
    Column("id", SERIAL, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("model", Text, nullable=False),
    Column("tag", Text),  # null where the gateway named only the provider
    Column("provider", Text),
    Column("generation", Text),
    Column("conversation", Text),  # a digest of the caller's own identifier
    Column("status", Integer),
    Column("first_token", Float),
    Column("total", Float),
    Column("finish", Text),
    Column("end", Text, nullable=False),
    Column("sent", BigInteger, nullable=False),
    Column("received", BigInteger, nullable=False),
    Column("prompt_tokens", BigInteger),
    Column("completion_tokens", BigInteger),
    Index("served_model_at", "model", "at"),
    Index("served_at", "at"),
    Index("served_generation", "generation"),
    Index("served_conversation", "conversation"),
)

REPORT: Final = Table(
    "report",
    METADATA,
    Column("id", SERIAL, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("generation", Text),
    Column("contract", Text),
    Column("comparison", Text),
    Column("document", Text, nullable=False),
    Index("report_model_at", "model", "at"),
)

COMPARISON: Final = Table(
    "comparison",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("cost", Float, nullable=False),
    Column("touched_at", BigInteger, nullable=False),  # when last written: one that runs and is silent died
    Column("document", Text, nullable=False),
    Index("comparison_model_at", "model", "at"),
)

OPERATOR: Final = Table(
    "operator",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("password", Text),  # an argon2 hash; null for one who has only tokens
    Column("scopes", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("ended_at", BigInteger),
)

TOKEN: Final = Table(
    "token",
    METADATA,
    Column("digest", Text, primary_key=True),  # the token itself is shown once and kept nowhere
    Column("operator", Text, ForeignKey("operator.name"), nullable=False),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("until", BigInteger),
    Column("ended_at", BigInteger),
    Index("token_operator", "operator"),
)

SESSION: Final = Table(
    "session",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("operator", Text, ForeignKey("operator.name"), nullable=False),
    Column("csrf", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("session_until", "until"),
)

AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("id", SERIAL, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("operator", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Index("audit_at", "at"),
)
