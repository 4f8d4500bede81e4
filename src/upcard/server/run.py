"""Running a house: open the database, serve, and stop so that nobody is cut off in the middle.

On a signal we end the streams, let those inside finish, and stop the server last; whatever still
hangs on a connection then is left behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import os
import secrets
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar

from upcard.house import recover
from upcard.house.keys import SigningKey, key_for
from upcard.house.rounds import DAY, House, Settings
from upcard.house.sealer import Sealer
from upcard.house.store import News, Store
from upcard.house.store.opening import database_file, is_postgres, open_news, open_store
from upcard.refused import Refused
from upcard.server import logs
from upcard.server.app import App, create_app
from upcard.server.asking import desk_of
from upcard.server.claim import AlreadyServed, Claim, Unclaimed, claimed
from upcard.server.desk import Desk
from upcard.server.front import Server
from upcard.server.metrics import Metrics
from upcard.server.seen import Watch
from upcard.server.service import PORT_MAX, Asked, Service
from upcard.server.workers import attend_several

GOOD, BAD, INTERRUPTED = 0, 2, 130
FINISH_SECONDS_MAX = 2.0
"""What those inside get to finish; it and the next are less than the 3 s we promise."""
STOP_SECONDS_MAX = 0.5
BROWSER_SECONDS_MAX = 5.0
"""What a browser gets to be started in, where this process has nothing else to do."""
OBJECTS_PER_COLLECTION = 50_000
SWEEP_SECONDS = 600.0
"""How often rounds are looked for that everybody has left."""

T = TypeVar("T")

log = logging.getLogger(__name__)


def serve(
    host: str,
    port: int,
    db_url: str,
    *,
    settings: Settings | None = None,
    service: Service | None = None,
    open_browser: bool = False,
    ready_line: bool = True,
    workers: int = 1,
    key: Path | None = None,
) -> int:
    """Serve until SIGTERM (0) or SIGINT (130); 2 after one line on stderr if it cannot begin.

    Port 0 takes a free one; `key` is the file of the key to sign with, else the one beside the
    database. Once requests are answered, one line with the address goes to stdout. More than
    one of `workers` need PostgreSQL: each is a process of its own.
    """
    service = service or Service()
    logs.begin(service.log, requests=service.log_requests)
    asked = Asked(db_url, settings or Settings(), service, key)
    try:
        return run(_serve(host, port, asked, open_browser, ready_line, workers))
    except AlreadyServed as served:
        if not (open_browser and served.url):
            return _refuse(served)
        # Who asks for the table gets the one that is open.
        _say_ready(served.url, open_browser, ready_line).join(BROWSER_SECONDS_MAX)
        return GOOD
    except Refused as refused:
        return _refuse(refused)


async def _serve(
    host: str, port: int, asked: Asked, open_browser: bool, ready_line: bool, workers: int
) -> int:
    # Before it is opened: opening migrates, and a house that serves it may be an older one.
    with signals() as stop, _claim(asked.db_url, workers) as claim:
        ip, port = _free_address(host, port)
        url = f"{(asked.service.public_url or _url(host, port)).rstrip('/')}/"

        def ready() -> None:
            claim.say(url)
            _say_ready(url, open_browser, ready_line)

        store = open_store(asked.db_url)
        try:
            key = key_for(asked.key, named(asked.db_url), await store.keys())
            house = await _prepared(store, asked, key)
            async with _sealed(Sealer(store, key=key, clock=time.time)):
                if workers > 1:
                    await attend_several(workers, asked, ip, port, stop, ready)
                else:
                    await attend(house, store, asked, ip, port, stop, ready)
        finally:
            await store.close()
    if not stop.done():
        raise Refused("address", "The server ended by itself.")
    return INTERRUPTED if stop.result() == signal.SIGINT else GOOD


def run(serving: Coroutine[Any, Any, T]) -> T:
    """Run to its end what serves, in the quickest event loop that there is."""
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(serving)


def _new_loop() -> asyncio.AbstractEventLoop:
    if sys.platform == "win32":  # uvloop knows no Windows
        return asyncio.new_event_loop()
    import uvloop

    return uvloop.new_event_loop()


def _claim(db_url: str, workers: int) -> AbstractContextManager[Claim | Unclaimed]:
    """A file is served by one process; a PostgreSQL database by as many as there are."""
    if is_postgres(db_url):
        return nullcontext(Unclaimed())
    if workers > 1:
        raise Refused("field", "--workers above 1 needs PostgreSQL; SQLite has one process.")
    return claimed(database_file(db_url))


def named(db_url: str) -> Path:
    """The file that a database is named after; its key lies beside it."""
    return Path("upcard") if is_postgres(db_url) else database_file(db_url)


async def _prepared(store: Store, asked: Asked, key: SigningKey) -> House:
    """The house, after what is done once: open rounds are looked at, what must exist is founded."""
    await recover.check_open_rounds(store)
    house = new_house(store, asked, key)
    await house.open()
    return house


def new_house(store: Store, asked: Asked, key: SigningKey) -> House:
    """A house with the clock and the entropy of this machine."""
    return House(
        store, clock=time.time, entropy=secrets.token_bytes, settings=asked.settings, key=key
    )


@contextlib.asynccontextmanager
async def _sealed(sealer: Sealer) -> AsyncIterator[None]:
    """Seal all the while, and once more at the end, whatever of it there is time for.

    What is not sealed by then is sealed first of all when the house opens again.
    """
    sealing = asyncio.create_task(sealer.keep_sealing())
    try:
        yield
    finally:
        sealer.stop()
        await asyncio.wait([sealing], timeout=STOP_SECONDS_MAX)


async def attend(
    house: House,
    store: Store,
    asked: Asked,
    ip: str,
    port: int,
    stop: asyncio.Future[signal.Signals],
    ready: Callable[[], None],
    *,
    shared: bool = False,
) -> None:
    """Serve in this process until `stop`; `shared`: others serve the port too. Raises Refused."""
    news = open_news(asked.db_url)
    try:
        with _measured(asked.service, store) as metrics:
            app = _app(house, asked, news, metrics)
            desk_of(app).hub.listen()
            server = await _started(app, ip, port, shared)
            beside = _beside(desk_of(app), store, metrics)
            spare_collector()
            ready()
            log.info("open")
            await asyncio.wait({stop})
            for task in beside:
                task.cancel()
            log.info("stopping")
            await _stop(desk_of(app), server)
    finally:
        if news:
            await news.close()


@contextlib.contextmanager
def _measured(service: Service, store: Store) -> Iterator[Metrics | None]:
    """Serve the figures of this process, if they are wanted. Raises Refused."""
    if service.metrics_port is None:
        yield None
        return
    metrics = Metrics()
    with metrics.served(service.metrics_port) as address:
        store.commits = metrics.commit
        log.info("metrics", extra={logs.FIELDS: {"url": address}})
        yield metrics


def _app(house: House, asked: Asked, news: News | None, metrics: Metrics | None) -> App:
    watches: list[Watch] = [metrics.request] if metrics else []
    if asked.service.log_requests:
        watches.append(logs.note_request)
    return create_app(
        house,
        public_url=asked.service.public_url,
        session_seconds=asked.settings.session_seconds,
        abandoned_days=asked.settings.abandoned_seconds // DAY,
        limits=asked.service.limits,
        news=news,
        watches=watches,
        steps=metrics.step if metrics else lambda kind: None,
    )


def _beside(desk: Desk, store: Store, metrics: Metrics | None) -> list[asyncio.Task[None]]:
    """What a process does now and then, besides answering."""
    tasks = [asyncio.create_task(_sweep(desk.house))]
    if metrics:
        tasks.append(asyncio.create_task(metrics.keep_looking(desk, store)))
    return tasks


async def _started(app: App, ip: str, port: int, shared: bool) -> Server:
    """A server that takes connections. Raises Refused."""
    server = Server(app, ip, port, shared=shared)
    try:
        await server.start()
    except OSError as error:
        raise Refused("address", f"{_url(ip, port)} cannot be served: {error.strerror}.") from None
    return server


def spare_collector() -> None:
    """Look for garbage in cycles less often, and never among what is there to stay.

    A batch of steps makes some fifty thousand objects that all live until their commit; every 700
    of them the collector would look at those before, and an eighth of each step would be its.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_PER_COLLECTION, 20, 100)


@contextlib.contextmanager
def signals() -> Iterator[asyncio.Future[signal.Signals]]:
    """A future of the first signal that asks to stop. Later ones change nothing."""
    loop = asyncio.get_running_loop()
    stop: asyncio.Future[signal.Signals] = loop.create_future()

    def note(received: signal.Signals) -> None:
        if not stop.done():
            stop.set_result(received)

    ours = (signal.SIGTERM, signal.SIGINT)
    for each in ours:
        loop.add_signal_handler(each, note, each)
    try:
        yield stop
    finally:
        for each in ours:
            loop.remove_signal_handler(each)


def _free_address(host: str, port: int) -> tuple[str, int]:
    """The address to bind, as numbers. Raises Refused.

    Workers share a port, which would let a second house in too; a plain socket is refused one.
    """
    if not 0 <= port <= PORT_MAX:
        raise Refused("address", f"There is no port {port}; choose one up to {PORT_MAX}.")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            ip, free = probe.getsockname()[:2]
    except OSError as error:
        busy = error.errno == errno.EADDRINUSE
        why = "is in use" if busy else f"cannot be had: {error.strerror}"
        raise Refused("address", f"{_url(host, port)} {why}; choose another --port.") from None
    return str(ip), int(free)


def _url(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"


def _refuse(refused: Refused) -> int:
    print(f"upcard: {refused.sentence}", file=sys.stderr)
    return BAD


def _say_ready(url: str, open_browser: bool, ready_line: bool) -> threading.Thread:
    """Print the ready line and open a browser; the thread that does has then begun."""
    if ready_line:
        print(f"Upcard is open at {url}", flush=True)
    # Some browsers hold this call for as long as they run.
    opening = threading.Thread(target=_open_browser, args=(url, open_browser), daemon=True)
    opening.start()
    return opening


def _open_browser(url: str, wanted: bool) -> None:
    # Without a screen a browser for the terminal would be found, and would take the terminal.
    screen = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    if wanted and (sys.platform != "linux" or any(map(os.environ.get, screen))):
        webbrowser.open(url)


async def _sweep(house: House) -> None:
    """Finish abandoned rounds now and then (G-12)."""
    while True:
        try:
            await house.finish_abandoned()
        except Exception:
            log.exception("abandoned rounds were not finished")
        await asyncio.sleep(SWEEP_SECONDS)


async def _stop(desk: Desk, server: Server) -> None:
    """Streams first, then let nobody in and those inside finish, then the server."""
    desk.hub.close()
    desk.traffic.stop()
    await desk.coach.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(FINISH_SECONDS_MAX):
            await desk.traffic.empty()
    await server.stop()
