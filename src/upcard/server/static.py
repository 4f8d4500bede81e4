"""The browser client: its page at `/` and at each game's path, its files as they were built."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

GZIP_BYTES_MIN = 1_000
FOREVER = "public, max-age=31536000, immutable"
NOT_BUILT = """\
<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Upcard</title>
<h1>Upcard</h1><p>The table in the browser is not built here; run <code>./play</code> in the
checkout, or <code>python hatch_build.py</code>, and start the house again.</p></html>
"""


def built_client() -> Path:
    """Where the package has its built client, if it has one."""
    return Path(str(resources.files("upcard"))) / "static"


def serve_client(app: FastAPI, games: Iterable[str], folder: Path | None = None) -> None:
    """Add the client's routes: its page at `/` and `/{game}`, and every file of the build."""
    folder = folder or built_client()
    index = folder / "index.html"
    if not index.is_file():
        app.router.routes.append(Route("/", _not_built))
        return

    async def page(_: object) -> Response:
        return FileResponse(index, media_type="text/html; charset=utf-8")

    app.router.routes.extend(Route(path, page) for path in ("/", *(f"/{key}" for key in games)))
    files = GZipMiddleware(StaticFiles(directory=folder), minimum_size=GZIP_BYTES_MIN)
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name not in {"index.html", "STAMP"}:
            app.router.routes.append(Route(f"/{path.name}", files))
    hashed = GZipMiddleware(_Hashed(directory=folder / "assets"), minimum_size=GZIP_BYTES_MIN)
    app.router.routes.append(Mount("/assets", hashed))


class _Hashed(StaticFiles):
    """Files whose names tell their content: a browser need never ask again."""

    def file_response(
        self, full_path: PathLike, stat_result: object, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)  # type: ignore[arg-type]  # starlette's os.stat_result
        response.headers["Cache-Control"] = FOREVER
        return response


async def _not_built(_: object) -> Response:
    return HTMLResponse(NOT_BUILT, 503)
