"""Who is asking: the session cookie, the Origin of a request, and the address it comes from."""

from __future__ import annotations

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
        own = self.public or f"http://{headers.get('host', '').lower()}"
        if any(origin.lower() != own for origin in headers.getlist("origin")):
            raise Refused("origin", f"Another site's page may not do this; the house is at {own}.")

    def address(self, request: HTTPConnection) -> str:
        """Who is at the other end: behind a proxy, whom the proxy says it is."""
        peer = request.client.host if request.client else ""
        if self.public is None:
            return peer
        return request.headers.get("x-forwarded-for", peer).rpartition(",")[2].strip()


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
