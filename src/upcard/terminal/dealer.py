"""Who deals: the boundary between a table and the house behind it.

The terminal plays against a `Dealer` and knows nothing of seeds, meters or money beyond what one
answers. `house.HouseDealer` is the one there is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from upcard.events import Event
from upcard.game import Game, Round
from upcard.sidebets import Pool
from upcard.table import Choice, ChoiceName, SpotBets
from upcard.terminal.proof import Proof


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What the house shows before a bet: the commit to its seed, and the number of the round."""

    commit: str
    nonce: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a round stands, for a bet, a move or a look.

    `id` is the house's name for the round and `seq` counts its moves; `nonce` is its number in the
    game. `events` are the new ones. `choices` is all that `move` accepts, and what lack of money
    disables. `balance` is what may be staked now, in cents. `proof` is there once the round is
    settled, and not before.
    """

    id: str
    seq: int
    round: Round
    nonce: int
    events: tuple[Event, ...]
    choices: tuple[Choice, ...]
    balance: int
    proof: Proof | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A round in the history; the cents are those of a settled one."""

    game: str
    nonce: int
    status: Literal["open", "settled", "void"]
    staked: int = 0
    paid: int = 0


class Dealer(Protocol):
    """One player's house: takes bets, deals, pays, and keeps all of it.

    Everything may raise Refused (`busy`); then, as always, nothing has changed.
    """

    @property
    def balance(self) -> int:
        """Cents that may be staked now; a reserved raise is outside it."""
        ...

    def offer(self, game: Game) -> Offer:
        """What stands behind the next bet at this game."""
        ...

    def meter(self, pool: Pool) -> int:
        """How a progressive meter stands, in cents."""
        ...

    def bet(
        self,
        game: Game,
        level: str,
        spots: Iterable[SpotBets],
        *,
        client_seed: str,
        ask_insurance: bool = True,
    ) -> Answer:
        """Take the bets and deal. Raises Refused, `round_open` while a round of the game is."""
        ...

    def move(self, seen: Answer, choice: ChoiceName) -> Answer:
        """Go on with a round as it was seen. Raises Refused, `stale` or `settled` if it has gone on
        without us."""
        ...

    def look(self, seen: Answer) -> Answer:
        """A round as it stands now, with the events since it was seen."""
        ...

    def resume(self, game: Game) -> Answer | None:
        """The open round of this game with all its events, whatever its table, if there is one."""
        ...

    def waiting(self) -> tuple[str, ...]:
        """The keys of the games that have an open round."""
        ...

    def last(self) -> Answer | None:
        """The latest round that was dealt and is settled, with all its events."""
        ...

    def history(self, limit: int) -> tuple[Played, ...]:
        """The latest rounds, the newest first."""
        ...

    def refill(self) -> None:
        """Restore the play money. Raises Refused (`open`) while a round is open."""
        ...
