"""The client's files as they are served (contract "Two commands": `./play` opens the table)."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from tests.server.place import open_place
from upcard.games import CATALOGUE
from upcard.house.store import StoreBusy
from upcard.server import static
from upcard.server.static import Brings, built_client, serve_client

SCRIPT = "console.log('" + "x" * 3000 + "')"
PAGE = """<!doctype html><script type="module" src="/assets/index-Ab12.js"></script>
<script type="application/json" id="brought">{}</script><p>end"""


@pytest.fixture
def client_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "STAMP").write_text("secret of the build")
    (folder / "assets" / "index-Ab12.js").write_text(SCRIPT)
    (folder / "assets" / "index-Ab12.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (folder / "assets" / "index-Ab12.js.br").write_bytes(b"as brotli has it")
    (tmp_path / "outside.txt").write_text("not yours")
    return folder


def ask(folder: Path, *paths: str, method: str = "GET", **headers: str) -> list[httpx.Response]:
    """Answers of an application that has this client and nothing else."""
    return ask_with({}, folder, *paths, method=method, **headers)


def ask_with(
    more: dict[str, Brings], folder: Path, *paths: str, method: str = "GET", **headers: str
) -> list[httpx.Response]:
    app = FastAPI(openapi_url=None, redirect_slashes=False)
    serve_client(app, ["top3"], folder, **more)

    async def all_of_them() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://cards.test") as client:
            return [await client.request(method, path, headers=headers) for path in paths]

    return asyncio.run(all_of_them())


def test_the_page_is_at_the_root_and_at_each_game(client_folder: Path) -> None:
    for answer in ask(client_folder, "/", "/top3"):
        assert (answer.status_code, answer.text) == (200, PAGE)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "etag" in answer.headers
    for answer in ask(client_folder, "/super21", "/index.html", "/STAMP", "/top3/"):
        assert answer.status_code == 404


class Scripts(HTMLParser):
    """What a browser finds in the script elements of a page, by their types."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.rest = ""
        self._type: str | None = None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self._type = dict(attrs)["type"]

    def handle_endtag(self, tag: str) -> None:
        self._type = None

    def handle_data(self, data: str) -> None:
        if self._type:
            self.found[self._type] = data
        else:
            self.rest += data


def test_a_page_brings_along_what_the_client_asks_first(client_folder: Path) -> None:
    """HTML, "restrictions for contents of script elements": no text of a document ends it early."""
    title = "</script><script>alert(1)//<!--"

    async def brings(game: str | None) -> Mapping[str, str]:
        return {"/api/games": json.dumps([game, title]), "/api/house": "{}"}

    # As a formatter may lay it out.
    (client_folder / "index.html").write_text(PAGE.replace("{}", "\n  {}\n"))
    for path, game in (("/", None), ("/top3", "top3")):
        (answer,) = ask_with({"brings": brings}, client_folder, path)
        scripts = Scripts(answer.text)
        assert json.loads(scripts.found["application/json"]) == {
            "/api/games": [game, title],
            "/api/house": {},
        }
        assert [*scripts.found] == ["application/json"]
        assert scripts.rest.strip() == "end"


def test_a_page_that_the_browser_has_is_not_sent_again(client_folder: Path) -> None:
    """RFC 9110, If-None-Match; each coding is a representation with a tag of its own."""
    tags = []
    for coding in ("gzip", "identity"):
        accepted = {"Accept-Encoding": coding}
        (first,) = ask(client_folder, "/", **accepted)
        known = {"If-None-Match": f'"other", W/{first.headers["etag"]}'}
        (again,) = ask(client_folder, "/", **accepted, **known)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert {it.headers["vary"] for it in (first, again)} == {"Accept-Encoding"}
        tags.append(first.headers["etag"])
    assert len({*tags}) == 2
    (changed,) = ask(client_folder, "/", **{"If-None-Match": tags[0], "Accept-Encoding": "br"})
    assert (changed.status_code, changed.text) == (200, PAGE)


def test_a_store_without_time_keeps_no_page_away(
    client_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static, "PATIENCE_SECONDS", 0.01)

    async def busy(_: str | None) -> Mapping[str, str]:
        raise StoreBusy

    async def stuck(_: str | None) -> Mapping[str, str]:
        await asyncio.Event().wait()
        raise AssertionError

    for brings in (busy, stuck):
        (answer,) = ask_with({"brings": brings}, client_folder, "/top3")
        assert (answer.status_code, answer.text) == (200, PAGE)


def test_hashed_files_are_kept_for_ever_and_others_asked_for(client_folder: Path) -> None:
    gzipped = {"Accept-Encoding": "gzip, br;q=0"}
    script, icon = ask(client_folder, "/assets/index-Ab12.js", "/favicon.svg", **gzipped)
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-encoding"] == "gzip"
    assert script.text == SCRIPT
    assert icon.headers["content-type"] == "image/svg+xml"
    assert "immutable" not in icon.headers.get("cache-control", "")
    (again,) = ask(client_folder, "/favicon.svg", **{"If-None-Match": icon.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_what_is_compressed_is_sent_as_it_lies_to_those_who_take_it(client_folder: Path) -> None:
    """Content-Encoding and Vary of RFC 9110: the best of what is accepted, else the file itself."""
    raw = httpx.Headers({"Accept-Encoding": "gzip, deflate, br"})
    path = "/assets/index-Ab12.js"
    sent = {}
    for accepted in ("gzip", "identity", "gzip;q=0.0", "*"):
        (sent[accepted],) = ask(client_folder, path, **{"Accept-Encoding": accepted})
    assert [it.headers.get("content-encoding") for it in sent.values()] == ["gzip", *[None] * 3]
    for answer in sent.values():
        assert answer.text == SCRIPT
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["content-type"].startswith("text/javascript")
    (again,) = ask(
        client_folder,
        path,
        **{"Accept-Encoding": "gzip", "If-None-Match": sent["gzip"].headers["etag"]},
    )
    assert again.status_code == 304
    (other,) = ask(client_folder, path, method="HEAD", **raw)
    assert other.headers["content-encoding"] == "br"
    (missing,) = ask(client_folder, "/favicon.svg.gz")
    assert missing.status_code == 404


def test_a_client_that_is_built_anew_is_served_at_once(client_folder: Path) -> None:
    """Contract "Two commands": `./play` builds; a house that runs meanwhile sends what is there."""
    icon, script = client_folder / "favicon.svg", client_folder / "assets" / "index-Ab12.js.gz"
    changes = [("<svg/>", SCRIPT), ("<svg id='a'/>", SCRIPT[::-1]), ("<svg id='b'/>", SCRIPT)]
    app = FastAPI(openapi_url=None)
    serve_client(app, [], client_folder)

    async def try_it() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://cards.test") as client:
            for second, (drawing, text) in enumerate(changes):
                for path, content in (
                    (icon, drawing.encode()),
                    (script, gzip.compress(text.encode())),
                ):
                    path.write_bytes(content)
                    os.utime(path, (second, second))
                for _ in range(2):
                    assert (await client.get("/favicon.svg")).text == drawing
                    gzipped = {"Accept-Encoding": "gzip"}
                    told = await client.get("/assets/index-Ab12.js", headers=gzipped)
                    assert told.text == text

    asyncio.run(try_it())


def test_part_of_a_file_is_sent_to_those_who_want_a_part(client_folder: Path) -> None:
    """RFC 9110, Range: what plays a sound asks for its beginning first."""
    (answer,) = ask(client_folder, "/favicon.svg", Range="bytes=1-3")
    assert (answer.status_code, answer.text) == (206, "svg")
    assert answer.headers["content-range"] == "bytes 1-3/6"


@pytest.mark.parametrize("name", ["%00", "index%00.js", "x" * 5000])
def test_a_name_that_no_file_can_have_is_of_no_file(name: str, client_folder: Path) -> None:
    for accepted in ("br", "identity"):
        (answer,) = ask(client_folder, f"/assets/{name}", **{"Accept-Encoding": accepted})
        assert answer.status_code == 404


def test_head_answers_as_get_without_a_body(client_folder: Path) -> None:
    paths = ("/", "/favicon.svg", "/assets/index-Ab12.js")
    for answer in ask(client_folder, *paths, method="HEAD"):
        assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../outside.txt",
        "/assets/%2e%2e/%2e%2e/outside.txt",
        "/assets/..%2f..%2foutside.txt",
    ],
)
def test_nothing_outside_is_served(path: str, client_folder: Path) -> None:
    (answer,) = ask(client_folder, path)
    assert answer.status_code == 404


def test_a_house_without_a_built_client_says_how_to_get_one(tmp_path: Path) -> None:
    (answer,) = ask(tmp_path, "/")
    assert answer.status_code == 503
    assert "./play" in answer.text


def test_the_built_page_comes_from_this_house_alone(tmp_path: Path) -> None:
    """X-19: no file of another origin; the policy needs no exception for inline code or style."""
    assert (built_client() / "index.html").is_file(), "build it: python hatch_build.py"

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.browser() as client:
            for path in ("/", *(f"/{game.key}" for game in CATALOGUE)):
                page = await client.get(path)
                assert page.status_code == 200
                assert "'unsafe" not in page.headers["content-security-policy"]
                links = re.findall(r'(?:src|href)="([^"]+)"', page.text)
                assert links
                for link in links:
                    assert link.startswith("/")
                    assert (await client.get(link)).status_code == 200, link
                assert "://" not in page.text
                bare, _, told = page.text.partition('<script type="application/json"')
                brought = Scripts(page.text).found["application/json"]
                bare += told.replace(brought, "")
                assert not re.search(r"<style|<script(?![^>]* src=)| style=", bare)
                documents = json.loads(brought)
                shown = [game.key for game in CATALOGUE if path in ("/", f"/{game.key}")]
                assert [*documents] == [
                    *("/api/house", "/api/games"),
                    *(f"/api/games/{key}" for key in shown),
                ]
                for asked, document in documents.items():
                    assert (await client.get(asked)).json() == document
            assert (await client.get("/healthz")).json() == {"ok": True}
            missing = await client.get("/nothing")
            assert (missing.status_code, missing.json()["code"]) == (404, "not_found")

    asyncio.run(try_it())


def test_the_built_page_asks_who_plays_before_the_rest_of_the_client_has_come() -> None:
    """HTML, "the script element": of modules only an async one runs before the page is read."""
    html = (built_client() / "index.html").read_text()
    tags = re.findall(r'<(?:script|link)[^>]* (?:src|href)="/[^>]*>', html)
    begin, client, libraries, style = tags[:4]
    assert re.search(r'^<script type="module" async .*/guest-', begin)
    assert re.search(r'^<script type="module" (?!async).*/index-.*\.js', client)
    assert re.search(r'^<link rel="modulepreload" .*/libraries-', libraries)
    assert re.search(r'^<link rel="stylesheet" ', style)
    texts = [
        (built_client() / "assets" / tag.split("/assets/")[1].split('"')[0]).read_text()
        for tag in (begin, client, libraries)
    ]
    assert "/api/session" in texts[0]
    # "Explicit compile hints" of V8: the first line of a script.
    assert [text.startswith("//# allFunctionsCalledOnLoad\n") for text in texts] == [
        *(False, True, True)
    ]


def test_the_documents_of_a_game_are_sent_compressed_to_those_who_take_it(tmp_path: Path) -> None:
    """RFC 9110, Content-Encoding: the same text either way, and Vary says what it depends on."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.browser() as client:
            for path in ("/api/games/top3", "/api/games/top3/rules"):
                plain, packed = [
                    await client.get(path, headers={"Accept-Encoding": accepted})
                    for accepted in ("identity", "gzip, br")
                ]
                assert "content-encoding" not in plain.headers
                assert packed.headers["content-encoding"] == "gzip"
                assert packed.text == plain.text
                assert int(packed.headers["content-length"]) * 3 < len(plain.content)
                assert {it.headers["vary"] for it in (plain, packed)} == {"Accept-Encoding"}

    asyncio.run(try_it())
