"""The command line: answers on stdout, progress and errors on stderr.

Exit codes: 0 good, 1 checked and false, 2 bad input or environment, 130 on Ctrl-C.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.exceptions import Abort, TyperException

from upcard import fair, scripts
from upcard.cards import print_cards
from upcard.game import Game
from upcard.games import ANALYSED, CATALOGUE, find
from upcard.money import print_cents
from upcard.refused import Refused

if TYPE_CHECKING:
    from upcard.house.checks import Check
    from upcard.house.store import Store

T = TypeVar("T")

GOOD, FALSE, BAD, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    help="A blackjack house you can trust: four games, and a shuffle that you can check.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="top3, threecard, super21 or ags")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Decks = Annotated[int | None, typer.Option("--decks", metavar="N", help="Number of decks.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="Play by another rule; repeatable."),
]
Database = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help="A path, or postgresql://HOST/NAME; else $UPCARD_DB."),
]
Pays = Annotated[
    list[str] | None,
    typer.Option("--pays", metavar="BET.ROW=ODDS", help="Pay a row otherwise; repeatable."),
]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. Every failure is one line on stderr."""
    try:
        result: object = app(arguments, standalone_mode=False)
        return result if isinstance(result, int) else GOOD
    except Refused as refused:
        return _fail(refused.sentence, BAD)
    except scripts.Differs as differs:
        return _fail(differs.sentence, FALSE)
    except TyperException as wrong:
        return _fail(wrong.format_message(), BAD)
    except OSError as error:
        return _fail(f"{error.filename or 'upcard'}: {error.strerror or error}.", BAD)
    except (Abort, KeyboardInterrupt):
        return INTERRUPTED


def _fail(sentence: str, code: int) -> int:
    print(f"upcard: {' '.join(sentence.split())}", file=sys.stderr)
    return code


def _variant(game: Game, decks: int | None, sets: list[str] | None, pays: list[str] | None) -> Game:
    """The game under other rules. Raises Refused (`field`) for what cannot be or is said twice."""
    pairs = [("decks", str(decks))] if decks is not None else []
    pairs += [_split(text, "--set", "decks=8") for text in sets or []]
    rows = [_split(text, "--pays", "classic.flush=8:1") for text in pays or []]
    names = [name for name, _ in (*pairs, *rows)]
    for name in names:
        if names.count(name) > 1:
            raise Refused("field", f"{name} is set more than once; say it once.")
    for name, value in pairs:
        game = game.with_rule(name, value)
    for name, value in rows:
        bet, _, row = name.partition(".")
        game = game.with_pay(bet, row, value)
    return game


def _split(text: str, option: str, example: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise Refused("field", f"{option} {text!r} lacks its value; write it like {example}.")
    return name, value


@app.callback(invoke_without_command=True)
def help_without_a_command(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Sit down at once.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Sentences alone, nothing drawn.")] = False,
    db: Database = None,
) -> int:
    """Play at a table in the terminal, with play money."""
    from upcard import terminal

    return terminal.run(game, plain=plain, db=_database(db))


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games."""
    if as_json:
        _print_json({"games": [{"key": game.key, "title": game.title} for game in CATALOGUE]})
        return
    width = max(len(game.key) for game in CATALOGUE)
    for game in CATALOGUE:
        print(f"{game.key:<{width}}  {game.title}")


@app.command()
def rules(
    game: GameKey,
    decks: Decks = None,
    sets: Sets = None,
    pays: Pays = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page for a browser.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print a game's rules, limits and pay tables."""
    whole = find(game, ANALYSED)
    chosen = _variant(whole, decks, sets, pays)
    # The stored odds are those of the game as it is served, not of a variant.
    from upcard import describe, reports

    returns = reports.stored(game) if chosen == whole else None
    page = describe.page(chosen, returns=returns)
    if html is not None:
        html.write_text(describe.as_html(page), encoding="utf-8")
    elif as_json:
        _print_json(describe.game_document(chosen))
    else:
        print(describe.as_text(page, _width()))


@app.command()
def replay(file: Annotated[str, typer.Argument(metavar="FILE", help="A .round, or - ")]) -> None:
    """Play a round from its text and check every payment in it."""
    from upcard import terminal

    script = scripts.parse(_read(file))
    played = scripts.play(script)
    for sentence in terminal.tell(played.game, played.events):
        print(sentence)


@app.command()
def shoe(
    server_seed: Annotated[str, typer.Option("--server-seed", metavar="HEX")],
    client_seed: Annotated[str, typer.Option("--client-seed", metavar="S")],
    nonce: Annotated[int, typer.Option("--nonce", metavar="N")],
    decks: Annotated[int, typer.Option("--decks", metavar="D")],
    cards: Annotated[int | None, typer.Option("--cards", metavar="K")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the cards of a shuffle, in the order in which they are dealt."""
    shuffled = fair.Shoe(fair.parse_server_seed(server_seed), client_seed, nonce, decks)
    if cards is not None and not 0 < cards <= len(shuffled):
        sentence = f"--cards {cards} cannot be; this shoe has 1 to {len(shuffled)} cards."
        raise Refused("field", sentence)
    dealt = shuffled[: len(shuffled) if cards is None else cards]
    if as_json:
        _print_json({"cards": [str(card) for card in dealt], "commit": shuffled.commit})
    else:
        print(print_cards(dealt))


Meter = Annotated[
    int | None, typer.Option("--meter", metavar="CENTS", help="How the progressive meter stands.")
]


@app.command()
def odds(
    game: GameKey,
    decks: Decks = None,
    sets: Sets = None,
    pays: Pays = None,
    meter: Meter = None,
    hand: Annotated[
        str | None, typer.Option("--hand", metavar="CARDS", help="Value a hand, like '8 8'.")
    ] = None,
    up: Annotated[str | None, typer.Option("--up", metavar="CARD", help="The up card.")] = None,
    split: Annotated[bool, typer.Option("--split", help="The hand comes from a split.")] = False,
    doubled: Annotated[bool, typer.Option("--doubled", help="The hand is doubled.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compute the exact return of every bet, or the value of each choice of one hand."""
    from upcard.maths import report

    chosen = _variant(find(game, ANALYSED), decks, sets, pays)
    if hand is None and up is None:
        if split or doubled:
            raise Refused("field", "--split and --doubled go with --hand and --up.")
        with _working(f"computing the odds of {game}"):
            document = report.odds(chosen, meter)
        _print_json(document) if as_json else print(_odds_text(document))
        return
    if hand is None or up is None:
        raise Refused("field", "--hand and --up go together, like --hand '8 8' --up T.")
    with _working("computing the hand"):
        values = report.hand_values(chosen, hand, up, split=split, doubled=doubled)
    if as_json:
        _print_json(values)
    else:
        for choice, value in sorted(values.items(), key=lambda pair: -pair[1]):
            print(f"{choice:<10} {value:+.6f}")


def _odds_text(document: dict[str, Any]) -> str:
    """The returns of all bets for people: percent, the exact figures are in the JSON."""
    main = document["main"]
    lines = [
        f"{document['game']}, {document['decks']} decks",
        f"main bet: returns {100 * main['rtp']:.4f} % of the first bet, "
        f"{100 * main['rtp_wagered']:.4f} % of all money wagered "
        f"(mean stake {main['mean_stake']:.5f}, deviation {main['sd']:.4f})",
    ]
    for key, side in document["side_bets"].items():
        lines.append(
            f"{key}: returns {100 * side['rtp']:.4f} % ({side['rtp_exact']}), "
            f"hits {100 * side['hit']:.4f} %"
        )
        for row in side["rows"]:
            lines.append(f"  {row['name']:<22} {row['pays']:<11} {row['count']} of {row['of']}")
    return "\n".join(lines)


@app.command()
def strategy(
    game: GameKey,
    decks: Decks = None,
    sets: Sets = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write charts for a browser.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compute the best play of every hand, and where single cards change it."""
    from upcard.maths import report, strategy_page

    chosen = _variant(find(game, ANALYSED), decks, sets, None)
    if html is not None:
        with _working(f"computing the best play of {game}"):
            charts = strategy_page.strategy_html(chosen)
        html.write_text(charts, encoding="utf-8")
        return
    with _working(f"computing the best play of {game}"):
        document = report.strategy(chosen)
    if as_json:
        _print_json(document)
        return
    for chart in ("hard", "soft", "pairs"):
        for row, cells in document.get(chart, {}).items():
            if all(isinstance(code, str) for code in cells.values()):
                codes = " ".join(f"{up}:{code:<2}" for up, code in cells.items())
                print(f"{chart:<6}{row:>4}  {codes}")


@app.command()
def par(
    game: GameKey,
    html: Annotated[Path, typer.Option("--html", metavar="FILE", help="Where to write it.")],
    decks: Decks = None,
    sets: Sets = None,
    pays: Pays = None,
    meter: Meter = None,
) -> None:
    """Write a PAR sheet: rules, counts, returns, deviation and confidence bands."""
    from upcard.maths import par_page

    chosen = _variant(find(game, ANALYSED), decks, sets, pays)
    with _working(f"computing the PAR sheet of {game}"):
        sheet = par_page.par_html(chosen, meter)
    html.write_text(sheet, encoding="utf-8")


@app.command()
def simulate(
    game: GameKey,
    rounds: Annotated[str, typer.Option("--rounds", metavar="N", help="Like 1e9.")] = "1e7",
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Else a new one.")] = None,
    spots: Annotated[int, typer.Option("--spots", metavar="N")] = 1,
    bets: Annotated[
        str | None, typer.Option("--bets", metavar="BET,BET", help="Side bets on every spot.")
    ] = None,
    decks: Decks = None,
    sets: Sets = None,
    pays: Pays = None,
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", metavar="FILE", help="A file, or total or composition."),
    ] = None,
    bet: Annotated[int | None, typer.Option("--bet", metavar="CENTS", help="The main bet.")] = None,
    meter: Meter = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Else all cores.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="A Dask cluster.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="FILE", help="Go on from it, save to it.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", metavar="FILE", help="A row for each chunk.")
    ] = None,
    bankroll: Annotated[
        int | None, typer.Option("--bankroll", metavar="CENTS", help="Sittings with so much.")
    ] = None,
    sitting: Annotated[
        int, typer.Option("--sitting", metavar="N", help="Rounds of a sitting.")
    ] = 1000,
    as_json: AsJson = False,
) -> int:
    """Play at random, millions of rounds a second, and count what comes back."""
    from upcard.simulate import command

    chosen = _variant(find(game, ANALYSED), decks, sets, pays)
    options = command.Options(
        rounds=rounds, seed=seed, spots=spots, bets=bets, strategy=strategy, bet=bet, meter=meter,
        workers=workers, scheduler=scheduler, checkpoint=checkpoint, parquet=parquet,
        bankroll=bankroll, sitting=sitting, as_json=as_json,
    )  # fmt: skip
    return command.run(chosen, options)


def _rate(whose: str) -> Any:
    return typer.Option(metavar="N/BURST", help=f"{whose}: so many a second, and at once.")


@app.command()
def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535)] = 8421,
    db: Database = None,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=1, help="Processes, over PostgreSQL.")
    ] = 1,
    public_url: Annotated[
        str | None, typer.Option("--public-url", metavar="URL", help="Where players reach it.")
    ] = None,
    play_money: Annotated[
        int, typer.Option("--play-money", metavar="CENTS", min=0, help="What a guest starts with.")
    ] = 10_000_000,
    round_seconds: Annotated[
        int,
        typer.Option("--round-seconds", metavar="N", min=0, max=3600, help="Least between deals."),
    ] = 0,
    fast_play: Annotated[
        bool,
        typer.Option("--fast-play/--no-fast-play", help="Offer cards and results at once."),
    ] = True,
    player_rate: Annotated[str, _rate("Requests of a player")] = "500/5000",
    address_rate: Annotated[str, _rate("Requests of an address")] = "2000/20000",
    session_rate: Annotated[str, _rate("New sessions of an address")] = "10/1000",
    login_rate: Annotated[str, _rate("Passwords tried by an address")] = "0.2/20",
    log: Annotated[str, typer.Option("--log", metavar="text|json", help="To stderr.")] = "text",
    log_requests: Annotated[
        bool, typer.Option("--log-requests", help="Log single requests, too.")
    ] = False,
    metrics_port: Annotated[
        int | None,
        typer.Option("--metrics-port", metavar="N", min=0, max=65535, help="On this machine."),
    ] = None,
    abandon_after: Annotated[
        int | None,
        typer.Option(
            "--abandon-after",
            metavar="DAYS",
            min=1,
            max=36_500,
            help="Finish rounds that nobody touches for so long; else 30.",
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="Sign with it; else the database's own .key."),
    ] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = False,
) -> int:
    """Run the house: rounds over HTTP on a durable database."""
    from upcard import describe
    from upcard.house.rounds import DAY, Settings
    from upcard.server import run as server
    from upcard.server.rates import Limits, Rate
    from upcard.server.service import Service

    if log not in ("text", "json"):
        raise Refused("field", f"--log {log!r} is neither; write text or json.")
    return server.serve(
        host,
        port,
        _database(db),
        settings=Settings(
            play_money=play_money,
            abandoned_seconds=(abandon_after or describe.ABANDONED_DAYS) * DAY,
            round_seconds_min=round_seconds,
            fast_play=fast_play,
        ),
        service=Service(
            public_url=public_url,
            limits=Limits(
                player=Rate.parse(player_rate),
                address=Rate.parse(address_rate),
                sessions=Rate.parse(session_rate),
                logins=Rate.parse(login_rate),
            ),
            log="json" if log == "json" else "text",
            log_requests=log_requests,
            metrics_port=metrics_port,
        ),
        open_browser=open_,
        workers=workers,
        key=key,
    )


Keys = Annotated[
    str | None,
    typer.Option("--keys", metavar="FILE", help="The house's keys, as /api/keys gave them."),
]


@app.command()
def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A proof or receipt as JSON, or - ")],
    keys: Keys = None,
    as_json: AsJson = False,
) -> int:
    """Check a round's proof - commit, cards, rules, choices, payments - or a bet's receipt."""
    from upcard.house import receipts
    from upcard.house import verify as proofs

    document = _json(file, "a proof or a receipt")
    protocol = document.get("protocol") if isinstance(document, dict) else None
    if protocol != receipts.PROTOCOL:
        return _tell_checks(proofs.verify(document), as_json)
    if keys is None:
        sentence = "A receipt is checked with the keys of its house; name their file with --keys."
        raise Refused("field", sentence)
    return _tell_checks(receipts.verify(document, _json(keys, "a list of keys")), as_json)


def _json(file: str, what: str) -> Any:
    try:
        return json.loads(_read(file))
    except ValueError:
        raise Refused("field", f"{file}: this is no JSON; {what} is one JSON object.") from None


jackpot = typer.Typer(help="Show or change the terms of the progressive meters.")
app.add_typer(jackpot, name="jackpot")


@jackpot.command("show")
def show_jackpots(db: Database = None, as_json: AsJson = False) -> None:
    """Print every meter as it stands, with its terms."""
    import asyncio

    from upcard.house import command

    document = asyncio.run(command.jackpots(_database(db)))
    if as_json:
        _print_json(document)
        return
    for each in document["jackpots"]:
        cap = "" if each["cap"] is None else f", cap {print_cents(each['cap'])}"
        print(
            f"{each['key']}: {print_cents(each['amount'])} after {each['epoch']} wins; seed "
            f"{print_cents(each['seed'])}, share {each['share']}{cap}"
        )


@jackpot.command("set")
def set_jackpot(
    key: Annotated[str, typer.Argument(metavar="METER", help="Its key, like top3.")],
    operator: Annotated[str, typer.Option("--operator", metavar="NAME", help="Who changes it.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")],
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="CENTS", help="What it starts at after a win.")
    ] = None,
    share: Annotated[
        str | None, typer.Option("--share", metavar="A/B", help="What enters it of each stake.")
    ] = None,
    cap: Annotated[
        int | None, typer.Option("--cap", metavar="CENTS", help="What it shows at most.")
    ] = None,
    no_cap: Annotated[bool, typer.Option("--no-cap", help="Let it grow without end.")] = False,
    db: Database = None,
) -> None:
    """Change the terms of a meter from the next bet on. What changes is journalled."""
    import asyncio

    from upcard.house import command

    change = command.terms_change(
        key, operator=operator, reason=reason, seed=seed, share=share, cap=cap, no_cap=no_cap
    )
    asyncio.run(command.change_terms(_database(db), change))
    show_jackpots(db)


@app.command()
def audit(
    db: Database = None,
    keys: Keys = None,
    block: Annotated[
        str | None,
        typer.Option("--block", metavar="HASH", help="A block you kept; it must still be there."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Prove the books of a house: balances, meters, blocks, and every round from its inputs."""
    from upcard.house import audit as audits
    from upcard.house import receipts
    from upcard.house.checks import Check
    from upcard.house.store import Unreadable

    trusted = None if keys is None else receipts.public_keys(_json(keys, "a list of keys"))

    async def checks(store: Store) -> list[Check]:
        try:
            return audits.audit(await store.books(), keys=trusted, kept=block)
        except Unreadable as unreadable:
            return [Check("books", False, unreadable.sentence)]

    return _tell_checks(_in_store(db, checks), as_json)


@app.command()
def void(
    round_: Annotated[str, typer.Argument(metavar="ROUND", help="Its id.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Shown to the player.")],
    operator: Annotated[str, typer.Option("--operator", metavar="NAME", help="Who decides it.")],
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Void a round that does not replay to what was told of it, and reverse its transfers."""
    from upcard.house import void as voids

    async def work(store: Store) -> voids.Voided:
        now = int(time.time())
        return await voids.void_round(store, round_, operator=operator, reason=reason, now=now)

    done = _in_store(db, work)
    if as_json:
        _print_json(asdict(done))
        return
    print(
        f"Round {round_} is void: {done.fault} {done.reversed} transfers are reversed; the "
        f"player's balance changes by {print_cents(done.player)}, and the house bears "
        f"{print_cents(done.borne)}."
    )


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    db: Database = None,
    as_json: AsJson = False,
) -> int:
    """Copy a database while the house goes on, and audit the copy. Keep its key elsewhere."""
    from upcard.house import backup as backups

    return _tell_checks(_in_store(db, lambda store: backups.back_up(store, file)), as_json)


def _in_store(db: str | None, work: Callable[[Store], Awaitable[T]]) -> T:
    """Do something with an existing database. Raises Refused."""
    import asyncio

    from upcard.house.store import StoreBusy
    from upcard.house.store.opening import open_store

    async def opened() -> T:
        store = open_store(_database(db), must_exist=True)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(opened())
    except StoreBusy:
        sentence = "Another program holds the database; nothing was changed, so try again."
        raise Refused("busy", sentence) from None


def _database(url: str | None) -> str:
    return url or os.environ.get("UPCARD_DB") or "upcard.db"


def _tell_checks(checks: Sequence[Check], as_json: bool) -> int:
    ok = all(check.ok for check in checks)
    if as_json:
        found = [
            {"name": check.name, "ok": check.ok, "sentence": check.sentence} for check in checks
        ]
        _print_json({"ok": ok, "checks": found})
    else:
        for check in checks:
            print(f"{'good ' if check.ok else 'FALSE'} {check.name}: {check.sentence}")
    return GOOD if ok else FALSE


def _read(file: str) -> str:
    """The text of a file, or of standard input for `-`. Raises Refused (`field`) and OSError."""
    content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("field", f"{file}: this is no text in UTF-8.") from None


def _print_json(document: Any) -> None:
    print(json.dumps(document, indent=None if not sys.stdout.isatty() else 2))


def _working(what: str) -> AbstractContextManager[object]:
    """Say on a terminal's stderr what takes its time."""
    from rich.console import Console

    console = Console(stderr=True)
    return console.status(f"upcard: {what} ...") if console.is_terminal else nullcontext()


def _width() -> int:
    from rich.console import Console

    return max(20, min(Console().width, 100))
