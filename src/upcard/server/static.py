"""The browser client: its page at `/` and at each game's path, its files as they were built."""

from __future__ import annotations

import asyncio
import mimetypes
import os
import re
import stat
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

from upcard.house.store import StoreBusy
from upcard.server.encodings import Packed, taken

ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""What the build compresses its files by, the best first, and how those are named."""
KEPT_BYTES_MAX = 200_000
"""Of a file that is sent from memory; the build has none that is larger."""
FOREVER = "public, max-age=31536000, immutable"
BROUGHT = re.compile(r'(?<=<script type="application/json" id="brought">)\s*{}\s*(?=</script>)')
"""Where the page has what it brings along; a browser runs nothing of that type."""
PATIENCE_SECONDS = 0.5
"""For what a page brings along: the client can as well ask for it."""
NOT_BUILT = """\
<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Upcard</title>
<h1>Upcard</h1><p>The table in the browser is not built here; run <code>./play</code> in the
checkout, or <code>python hatch_build.py</code>, and start the house again.</p></html>
"""


def built_client() -> Path:
    """Where the package has its built client, if it has one."""
    return Path(str(resources.files("upcard"))) / "static"


Brings = Callable[[str | None], Awaitable[Mapping[str, str]]]


async def _nothing(_: str | None) -> Mapping[str, str]:
    return {}


def serve_client(
    app: FastAPI, games: Iterable[str], folder: Path | None = None, brings: Brings = _nothing
) -> None:
    """Add the client's routes: its page at `/` and `/{game}`, and every file of the build.

    `brings` tells of a game, None for the lobby, which answers its page brings along: JSON texts by
    the paths that the client would ask for.
    """
    folder = folder or built_client()
    index = folder / "index.html"
    if not index.is_file():
        app.router.routes.append(Route("/", _not_built))
        return

    async def page(request: Request) -> Response:
        texts = await _in_time(brings(request.url.path[1:] or None))
        answer = _page(index.read_text(), tuple(texts.items())).answer_unless_known(request.headers)
        if request.method == "HEAD":
            answer.body = b""
        return answer

    app.router.routes.extend(Route(path, page) for path in ("/", *(f"/{key}" for key in games)))
    files = _Compressed(directory=folder)
    for path in sorted(folder.iterdir()):
        is_ours = path.suffix in ENCODINGS.values() or path.name in {"index.html", "STAMP"}
        if path.is_file() and not is_ours:
            app.router.routes.append(Route(f"/{path.name}", files))
    app.router.routes.append(Mount("/assets", _Hashed(directory=folder / "assets")))


async def _in_time(coming: Awaitable[Mapping[str, str]]) -> Mapping[str, str]:
    """A store that has no time for it keeps no page away, which says so and goes on asking."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await coming
    except (TimeoutError, StoreBusy):
        return {}


@lru_cache(maxsize=64)
def _page(html: str, texts: tuple[tuple[str, str], ...]) -> Packed:
    told = ",".join(f'"{path}":{text}' for path, text in texts)
    # No text of it can end the element that it lies in.
    brought = "{" + told.replace("<", r"\u003c") + "}"
    return Packed(BROUGHT.sub(lambda _: brought, html), "text/html; charset=utf-8")


class _Compressed(StaticFiles):
    """Files that lie there compressed as well: what the client takes is sent as it lies."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        encoding, found = self._best(path, taken(Headers(scope=scope)))
        if scope["method"] in ("GET", "HEAD") and found is not None:
            response = self.file_response(*found, scope)
        else:
            response = await super().get_response(path, scope)
        if encoding is not None:
            response.headers["Content-Encoding"] = encoding
            response.headers["Content-Type"] = _type_of(path)
        response.headers.add_vary_header("Accept-Encoding")
        return response

    def _best(
        self, path: str, accepted: set[str]
    ) -> tuple[str | None, tuple[str, os.stat_result] | None]:
        """The file to send, and how it is compressed. Looked for here: a thread costs far more."""
        for encoding, suffix in (*ENCODINGS.items(), (None, "")):
            if encoding is None or encoding in accepted:
                try:
                    full_path, status = self.lookup_path(path + suffix)
                except (OSError, ValueError):
                    break
                if status is not None and stat.S_ISREG(status.st_mode):
                    return encoding, (full_path, status)
        return None, None

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        if not isinstance(response, FileResponse) or stat_result.st_size > KEPT_BYTES_MAX:
            return response
        if scope["method"] != "GET" or "range" in Headers(scope=scope):
            return response
        content = _content(os.fspath(full_path), stat_result.st_mtime_ns, stat_result.st_size)
        return Response(content, status_code, dict(response.headers))


@lru_cache(maxsize=128)
def _content(path: str, _mtime_ns: int, _size: int) -> bytes:
    """What a file of this time and size holds: a page wants six at once, and no thread for each."""
    return Path(path).read_bytes()


def _type_of(path: str) -> str:
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type


class _Hashed(_Compressed):
    """Files whose names tell their content: a browser need never ask again."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = FOREVER
        return response


async def _not_built(_: object) -> Response:
    return HTMLResponse(NOT_BUILT, 503)
