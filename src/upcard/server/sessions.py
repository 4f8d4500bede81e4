"""Who is asking: the session cookie, the Origin of a request, and the address it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response

from upcard.refused import Refused

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Site:
    """Where the house is seen from outside.

    `public` is scheme and host as a browser writes an Origin, None for a house that is reached
    directly; then it is plain http, on whatever host name it was asked by.
    """

    public: str | None
    session_seconds: int

    @classmethod
    def at(cls, public_url: str | None, session_seconds: int) -> Site:
        """Raises Refused (`field`) unless the URL has a scheme, a host and nothing more."""
        return cls(None if public_url is None else _origin_of(public_url), session_seconds)

    @property
    def is_secure(self) -> bool:
        return self.public is not None and self.public.startswith("https:")

    @property
    def cookie(self) -> str:
        return "__Host-upcard" if self.is_secure else "upcard"

    def token(self, request: HTTPConnection) -> str | None:
        return request.cookies.get(self.cookie)

    def remember(self, response: Response, token: str) -> None:
        """Put the session cookie into an answer."""
        response.set_cookie(
            self.cookie,
            token,
            max_age=self.session_seconds,
            path="/",
            secure=self.is_secure,
            httponly=True,
            samesite="strict",
        )

    def forget(self, response: Response) -> None:
        """Take the session cookie out of the browser."""
        response.delete_cookie(
            self.cookie, path="/", secure=self.is_secure, httponly=True, samesite="strict"
        )

    def check_origin(self, method: str, headers: Headers) -> None:
        """Refuse what another site's page sends; a program that sends no Origin is welcome.

        Raises Refused (`origin`).
        """
        if method in SAFE_METHODS:
            return
        host = headers.get("host", "")
        if not all(self.is_own(origin, host) for origin in headers.getlist("origin")):
            own = self._own(host)
            raise Refused("origin", f"Another site's page may not do this; the house is at {own}.")

    def is_own(self, origin: str, host: str) -> bool:
        """Whether a page of this Origin is the house's, as it was asked by this host name."""
        return origin.lower() == self._own(host)

    def _own(self, host: str) -> str:
        return self.public or f"http://{host.lower()}"

    def address(self, request: HTTPConnection) -> str:
        """Who is at the other end: behind a proxy, whom the proxy says it is."""
        peer = request.client.host if request.client else ""
        return self._behind_proxy(peer, request.headers.get("x-forwarded-for"))

    def address_of(self, peer: str, headers: Mapping[bytes, bytes]) -> str:
        """The same from headers as they came, each once."""
        forwarded = headers.get(b"x-forwarded-for")
        return self._behind_proxy(peer, None if forwarded is None else forwarded.decode("latin-1"))

    def _behind_proxy(self, peer: str, forwarded: str | None) -> str:
        if self.public is None or forwarded is None:
            return peer
        return forwarded.rpartition(",")[2].strip()


def _origin_of(url: str) -> str:
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _no_url(url) from None
    has_more = parts.path not in ("", "/") or parts.query or parts.fragment or parts.username
    if not host or parts.scheme not in DEFAULT_PORTS or has_more:
        raise _no_url(url)
    host = f"[{host}]" if ":" in host else host
    shown = "" if port in (None, DEFAULT_PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown}"


def _no_url(url: str) -> Refused:
    return Refused("field", f"{url!r} is no public URL; write one like https://cards.example.com.")
