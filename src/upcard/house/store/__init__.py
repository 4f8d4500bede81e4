"""What the house needs of a database: one atomic command, and reads.

A command names what it must see (`Needs`), decides on a `Snapshot` of exactly that, and returns
what to write. Deciding is pure, so that a store may do it again when a meter has to be read first,
and several commands may share one commit. Writes and answer are durable before `run` returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar, overload

from upcard.house.blocks import Block, Unsealed
from upcard.house.jackpot import PoolReading
from upcard.house.journal import StoredAward, StoredRound, StoredStep, StoredVoid
from upcard.house.keys import PublicKey
from upcard.house.ledger import Transfer
from upcard.house.limits import Exclusion, OwnLimit
from upcard.house.sittings import PlayDay, Sitting
from upcard.refused import Refused

T = TypeVar("T")

SESSIONS_KEPT_MAX = 20_000
"""When more sessions are remembered, all are forgotten."""


class Seat(NamedTuple):
    """A player's next bet in one game: its seed, drawn and stored before it, and its nonce."""

    player: str
    game: str
    nonce: int
    server_seed: bytes
    open_round: str | None = None


class Session(NamedTuple):
    """A browser that is known by the hash of its token. `expires` in seconds since 1970, UTC."""

    token_hash: str
    player: str
    expires: int


class Account(NamedTuple):
    """A player's name, by its key for comparing, and the hash of the password."""

    key: str
    name: str
    player: str
    password: str
    created_at: int
    changed_at: int


class StoredRequest(NamedTuple):
    """A bet that was accepted under an idempotency key, with what was asked and what was told."""

    player: str
    key: str
    hash: str
    round: str
    answer: str


class Needs(NamedTuple):
    """What a command must see. A pool is read only when the command asks for it."""

    player: str
    game: str | None = None
    round: str | None = None
    key: str | None = None
    journal: str | None = None
    """Whose newest step shall be seen besides: the terms of a meter."""
    name: str | None = None
    session: str | None = None
    """The token's hash of the session that it comes in, to see whether that still stands."""


class Later(Sequence[T]):
    """A sequence that is read when it is first looked at: not every command looks at everything."""

    __slots__ = ("_items", "_read", "_where")

    def __init__(self, read: Callable[..., tuple[T, ...]], *where: Any) -> None:
        self._read = read
        self._where = where
        self._items: tuple[T, ...] | None = None

    def _looked_at(self) -> tuple[T, ...]:
        if self._items is None:
            self._items = self._read(*self._where)
        return self._items

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._looked_at()[index]

    def __len__(self) -> int:
        return len(self._looked_at())

    def __iter__(self) -> Iterator[T]:
        return iter(self._looked_at())


class Snapshot(NamedTuple):
    """What a command sees, none of which changes before its writes are in.

    `open_rounds` are the ids of all open rounds of the player, in any game. `round` is the round
    that was named, or the open one of the seat, with its steps and awards; `seat` is the one of the
    game that was named, or of that round. `sitting` is the player's last one, `days` the last on
    which was played, of one month at most; `limits` and `exclusions` are all that he ever set;
    `accounts` is his account if he has one, `named` the one of the name that was named.
    """

    balance: int
    escrow: int
    stripe: int
    seat: Seat | None
    open_rounds: Sequence[str]
    round: StoredRound | None
    steps: Sequence[StoredStep]
    awards: Sequence[StoredAward]
    request: StoredRequest | None
    pools: dict[str, PoolReading]
    newest: StoredStep | None = None
    """The newest step of the journal that was named."""
    sitting: Sitting | None = None
    days: Sequence[PlayDay] = ()
    limits: Sequence[OwnLimit] = ()
    exclusions: Sequence[Exclusion] = ()
    accounts: Sequence[Account] = ()
    named: Account | None = None
    session: Session | None = None
    """The one that was named, unless it has ended."""


class Writes(NamedTuple):
    """What a command changes, all of it or nothing. Seats and sittings replace their older selves.

    A round is new with its first step, and otherwise goes on from what it was.
    """

    transfers: Sequence[Transfer] = ()
    seats: Sequence[Seat] = ()
    round: StoredRound | None = None
    steps: Sequence[StoredStep] = ()
    awards: Sequence[StoredAward] = ()
    request: StoredRequest | None = None
    session: Session | None = None
    pools: Sequence[PoolReading] = ()
    sitting: Sitting | None = None
    limits: Sequence[OwnLimit] = ()
    exclusion: Exclusion | None = None
    account: Account | None = None
    ended_sessions: Sequence[str] = ()
    """Hashes of tokens; sessions end before the new one begins."""
    ended_sessions_of: str | None = None
    heartbeat: int | None = None
    block: Block | None = None
    key: PublicKey | None = None
    void: StoredVoid | None = None

    @property
    def opens(self) -> bool:
        """Whether the round begins with them."""
        return bool(self.steps) and self.steps[0].seq == 0

    @property
    def changes_sessions(self) -> bool:
        """Whether a session begins, goes on longer or ends."""
        return bool(self.session or self.ended_sessions or self.ended_sessions_of)


class PoolWanted(Exception):
    """Raised by a command that cannot decide before it has read this meter.

    The store then locks and reads it, and lets the command decide again.
    """

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


Decide = Callable[[Snapshot], tuple[Writes, T]]
"""What a command does with what it sees; may raise PoolWanted, and whatever refuses it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Rounds of one player, the newest first, and where the next page begins."""

    rounds: tuple[StoredRound, ...]
    next: int | None


CommitWatch = Callable[[int, float], None]
"""Told of each commit: how many commands shared it, and the seconds it took."""


class Store(Protocol):
    """One database. Raises StoreBusy when it cannot take a command now."""

    commits: CommitWatch

    async def run(self, needs: Needs, decide: Decide[T]) -> T:
        """One command, atomically and durably. What `decide` raises is raised, nothing written.

        Where a connection was lost nobody knows whether a commit came about, and `decide` is asked
        again, perhaps on what it has done already: it has to know its own work.
        """
        ...

    async def see(self, needs: Needs) -> Snapshot:
        """What a command would see now, without writing anything; no meters."""
        ...

    async def session(self, token_hash: str) -> Session | None: ...

    async def session_of_late(self, token_hash: str) -> Session | None:
        """The same, though it may have ended since: for a command that names it in its needs."""
        ...

    async def account(self, key: str) -> Account | None: ...

    async def account_of(self, player: str) -> Account | None: ...

    async def balance(self, player: str) -> int: ...

    async def seats(self, player: str) -> tuple[Seat, ...]: ...

    async def round(self, round_: str) -> StoredRound | None: ...

    async def steps(self, round_: str) -> tuple[StoredStep, ...]: ...

    async def awards(self, round_: str) -> tuple[StoredAward, ...]: ...

    async def request(self, round_: str) -> StoredRequest | None:
        """What a round was asked for with."""
        ...

    async def transfers(self, source: str) -> tuple[Transfer, ...]:
        """The transfers of one round or command, in order."""
        ...

    async def play_money(self, player: str) -> tuple[Transfer, ...]:
        """The play money that a player was ever given, in order."""
        ...

    async def sittings(self, player: str, since: int = 0) -> tuple[Sitting, ...]:
        """The sittings of a player that began then or later, in order, by day."""
        ...

    async def page(self, player: str, before: int | None, limit: int) -> Page: ...

    async def open_rounds(self, touched_before: int | None = None) -> tuple[StoredRound, ...]:
        """Every open round of every player, or those not touched since."""
        ...

    async def open_count(self) -> int:
        """How many rounds are open."""
        ...

    async def pool(self, key: str) -> PoolReading | None: ...

    async def keys(self) -> tuple[PublicKey, ...]:
        """Every key that this database was ever signed with, the oldest first."""
        ...

    async def last_block(self) -> Block | None: ...

    async def unsealed(self, after: int, count_max: int) -> Unsealed | None:
        """The first transfers after a number, at most so many, or None if there is none."""
        ...

    async def void(self, round_: str) -> StoredVoid | None: ...

    async def books(self) -> Books:
        """Everything an audit needs, as of one instant. Raises Unreadable."""
        ...

    async def copy(self, to: Path) -> None:
        """Copy everything as of one instant into an empty file; commands go on meanwhile.

        The file knows that it is a copy, which `resume` is for.
        """
        ...

    async def resume(self, new_seed: Callable[[], bytes]) -> bool:
        """Make a house of a copy: every next bet gets a new seed. False for what is no copy.

        The seeds in a copy may have been shown since it was made.
        """
        ...

    async def close(self) -> None: ...


Told = tuple[str, str]
"""A player, and the round that was played, empty where only the balance changed, or LEFT."""
LEFT = "left"
"""In the place of a round: a session of this player has ended."""


class News(Protocol):
    """What the processes of a house tell each other of what is durable. Some of it may get lost."""

    def tell(self, player: str, round_: str = "") -> None:
        """Tell the other processes, soon."""
        ...

    def listen(self, heard: Callable[[list[Told]], None], missed: Callable[[], None]) -> None:
        """Hear what other processes tell from now on; `missed` when some of it may be lost."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """All of the ledger and the journal as of one instant, for an audit.

    `numbers` are those under which the transfers were committed, one each.
    """

    transfers: tuple[Transfer, ...]
    numbers: tuple[int, ...]
    balances: dict[str, int]
    rounds: tuple[StoredRound, ...]
    steps: dict[str, tuple[StoredStep, ...]]
    awards: dict[str, tuple[StoredAward, ...]]
    pools: tuple[PoolReading, ...]
    keys: tuple[PublicKey, ...]
    blocks: tuple[Block, ...]
    voids: dict[str, StoredVoid]


class StoreBusy(Exception):
    """The database cannot take a command now; the same command may be sent again."""


class StoreRefused(Refused):
    """The database is not one that this version can use."""

    def __init__(self, sentence: str) -> None:
        super().__init__("store", sentence)


class Unreadable(StoreRefused):
    """Something in the database is not what a house writes there."""
