"""Which compressed forms a client takes, and texts that are compressed once for all of them."""

from __future__ import annotations

import gzip
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
    """A JSON text that is sent again and again, word for word or compressed."""

    text: str

    @cached_property
    def _gzip(self) -> bytes:
        return gzip.compress(self.text.encode(), mtime=0)

    def answer(self, headers: Headers) -> Response:
        sent = {"Vary": "Accept-Encoding"}
        if "gzip" not in taken(headers):
            return Response(self.text, 200, sent, "application/json")
        sent["Content-Encoding"] = "gzip"
        return Response(self._gzip, 200, sent, "application/json")
