"""Which compressed forms a client takes, and texts that are compressed once for all of them."""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cached_property

from starlette.datastructures import Headers
from starlette.responses import Response


def taken(headers: Headers) -> set[str]:
    """`Accept-Encoding: gzip, br;q=0` -> {"gzip"}"""
    accepted = headers.get("accept-encoding", "")
    offers = (offer.replace(" ", "").partition(";q=") for offer in accepted.split(","))
    return {name for name, _, weight in offers if not re.fullmatch(r"0(\.0*)?", weight)}


@dataclass(frozen=True)
class Packed:
    """A text that is sent again and again, word for word or compressed."""

    text: str
    media_type: str = "application/json"

    @cached_property
    def _gzip(self) -> bytes:
        return gzip.compress(self.text.encode(), mtime=0)

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:32]

    def answer(self, headers: Headers) -> Response:
        sent = {"Vary": "Accept-Encoding"}
        if "gzip" not in taken(headers):
            return Response(self.text, 200, sent, self.media_type)
        sent["Content-Encoding"] = "gzip"
        return Response(self._gzip, 200, sent, self.media_type)

    def answer_unless_known(self, headers: Headers) -> Response:
        """An answer with a tag, by which a browser asks whether it has it already: then a 304."""
        answer = self.answer(headers)
        tag = f'"{self.digest}{answer.headers.get("content-encoding", "")}"'
        known = headers.get("if-none-match", "")
        if tag in [each.strip().removeprefix("W/") for each in known.split(",")]:
            answer = Response(None, 304, {"Vary": "Accept-Encoding"})
        answer.headers["ETag"] = tag
        return answer
