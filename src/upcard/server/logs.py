"""What a house writes down of itself, on stderr: as text or as one JSON object a line.

No line holds a token, a password, a seed, a name, an address or a cookie: requests are noted by
their route, and of whatever breaks inside only what looks like no secret is let through.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Literal

import orjson

from upcard.server.seen import Seen

Form = Literal["text", "json"]
FIELDS = "fields"
"""The attribute of a record that holds what it says besides its message."""

log = logging.getLogger("upcard.requests")

_SECRET = re.compile(
    r"[0-9A-Fa-f]{32,}|[A-Za-z0-9+/_-]{40,}={0,2}|\bb'(?:[^'\\]|\\.)*'|\bb\"(?:[^\"\\]|\\.)*\""
    r"|\$argon2\S*|\bplayer/\w+"
)


def begin(form: Form, *, requests: bool) -> None:
    """Write from now on to stderr; single requests too, if they are wanted."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    level = logging.INFO if form == "json" else logging.WARNING
    logging.getLogger("upcard").setLevel(level)
    log.setLevel(logging.INFO if requests else logging.WARNING)


def note_request(seen: Seen) -> None:
    """A line for a request: method, route, status, code, milliseconds."""
    fields: dict[str, Any] = {
        "method": seen.method,
        "route": seen.route,
        "status": seen.status,
        "ms": round(seen.seconds * 1000, 1),
    }
    if seen.code:
        fields["code"] = seen.code
    log.info("request", extra={FIELDS: fields})


def hidden(text: str) -> str:
    """The text without anything that could be a secret."""
    return _SECRET.sub("[hidden]", text)


class TextLines(logging.Formatter):
    """`2027-01-15T08:00:00.000Z warning what happened key=value`, an error with its places."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {**getattr(record, FIELDS, {})}
        words = [_at(record), record.levelname.lower(), _message(record)]
        words += [f"{name}={value}" for name, value in fields.items()]
        lines = [" ".join(words), *_error(record).get("places", [])]
        if error := _error(record):
            lines.append(f"{error['error']}: {error['said']}")
        return "\n".join(lines)


class JsonLines(logging.Formatter):
    """One object a line: `at`, `level`, `event`, what belongs to it, and an error's places."""

    def format(self, record: logging.LogRecord) -> str:
        document = {
            "at": _at(record),
            "level": record.levelname.lower(),
            "event": _message(record),
            **getattr(record, FIELDS, {}),
            **_error(record),
        }
        return orjson.dumps(document).decode()


def _at(record: logging.LogRecord) -> str:
    at = datetime.fromtimestamp(record.created, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _message(record: logging.LogRecord) -> str:
    return " ".join(hidden(record.getMessage()).split())


def _error(record: logging.LogRecord) -> dict[str, Any]:
    if not record.exc_info or record.exc_info[0] is None:
        return {}
    kind, error, trace = record.exc_info
    places = [
        f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)
    ]
    return {"error": kind.__name__, "said": hidden(str(error)), "places": places}
