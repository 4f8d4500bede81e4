"""What a player brings to the tables of one sitting: seed, settings, and the bets last laid."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from upcard import fair
from upcard.game import Game, Round
from upcard.refused import Refused
from upcard.table import Choice, ChoiceName, SpotBets
from upcard.terminal.dealer import Answer, Dealer
from upcard.terminal.layout import Layout
from upcard.terminal.proof import Proof

WARNED: tuple[ChoiceName, ...] = ("hit", "stand", "double")
"""The choices that have a switch for a warning (T-53)."""


def new_client_seed() -> str:
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """How the player last sat down at a game."""

    level: str
    decks: int
    side_bets: tuple[str, ...]

    @classmethod
    def of(cls, round_: Round) -> Seat:
        """Where a round was dealt."""
        game = round_.game
        return cls(
            level=round_.level,
            decks=game.rules.decks,
            side_bets=tuple(side.key for side in game.side_bets),
        )


@dataclass(slots=True, kw_only=True)
class Sitting:
    """One player from the door to the door.

    `client_seed` is that of the next round. Unless the player chose it, every round gets a fresh
    one, drawn when the server seed that it will meet is fixed already.
    """

    dealer: Dealer
    client_seed: str = field(default_factory=new_client_seed)
    keeps_client_seed: bool = False
    asks_insurance: bool = True
    warns: set[ChoiceName] = field(default_factory=set)
    seats: dict[str, Seat] = field(default_factory=dict)
    ended: Answer | None = None
    """The latest answer of the latest round that was played to its end."""
    opened: Answer | None = None
    """The latest answer of the round that is open."""
    _played: dict[tuple[str, str], tuple[SpotBets, ...]] = field(default_factory=dict)

    def sit_down(self, game: Game, seat: Seat) -> Game:
        """The game at its table. Other side bets than before forget the last bets (A-14)."""
        before = self.seats.get(game.key)
        if before and before.side_bets != seat.side_bets:
            self._played = {key: bets for key, bets in self._played.items() if key[0] != game.key}
        table = game.at_table(decks=seat.decks, side_bets=seat.side_bets)
        self.seats[game.key] = seat
        return table

    def played(self, layout: Layout) -> tuple[SpotBets, ...] | None:
        """The bets of the last deal at this game and level, or None before there was one."""
        return self._played.get((layout.game.key, layout.level))

    def rebet(self, layout: Layout) -> Layout:
        """The last bets again (G-10). Raises Refused."""
        played = self.played(layout)
        if played is None:
            raise Refused("field", "Nothing was bet at this level yet, so nothing can be repeated.")
        return layout.replaced(played, self.dealer.balance)

    def set_client_seed(self, text: str) -> None:
        """Raises Refused (`field`)."""
        fair.check_client_seed(text)
        self.client_seed, self.keeps_client_seed = text, True

    def renew_client_seed(self) -> None:
        """A fresh client seed now and for every round to come."""
        self.client_seed, self.keeps_client_seed = new_client_seed(), False

    # Playing

    def deal(self, layout: Layout) -> Answer:
        """Raises Refused, and then nothing has changed."""
        answer = self.dealer.bet(
            layout.game,
            layout.level,
            layout.spots,
            client_seed=self.client_seed,
            ask_insurance=self.asks_insurance or not layout.game.insurance_setting,
        )
        if not self.keeps_client_seed:
            self.renew_client_seed()
        return self._seen(answer)

    def resume(self, game: Game) -> Answer | None:
        """The round of this game that is open already, if there is one (G-12)."""
        self.opened = None
        answer = self.dealer.resume(game)
        return self._seen(answer) if answer else None

    def choose(self, seen: Answer, choice: ChoiceName) -> Answer:
        """Raises Refused, and then nothing has changed."""
        return self._seen(self.dealer.move(seen, choice))

    def look(self, seen: Answer) -> Answer:
        """The round as it stands now."""
        return self._seen(self.dealer.look(seen))

    def last(self) -> tuple[Round, Proof]:
        """The latest round that was played to its end, in an earlier sitting if not in this.

        Raises Refused (`field`) before there was one.
        """
        last = self.ended or self.dealer.last()
        if last is None:
            raise Refused("field", "No round has been played to its end yet.")
        assert last.proof is not None, f"{last.id} ended without a proof"
        return last.round, last.proof

    def warning(self, choice: Choice) -> str | None:
        """What to ask before this choice is made, for those who switched it on (T-53)."""
        return choice.warning if choice.choice in self.warns else None

    def _seen(self, answer: Answer) -> Answer:
        played = answer.round
        self._played[played.game.key, played.level] = played.spots
        if answer.proof:
            self.opened, self.ended = None, answer
        else:
            self.opened = answer
        return answer
