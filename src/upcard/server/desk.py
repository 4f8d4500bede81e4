"""What every request meets: the house, its streams, its coach, its limits and its doors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from upcard.house.rounds import Answer, BetRequest, House, Visitor
from upcard.server.coach import Coach
from upcard.server.gate import Traffic
from upcard.server.rates import Rates
from upcard.server.sessions import Site
from upcard.server.stream import Hub
from upcard.server.turns import Turns
from upcard.server.wire import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One for each process that serves."""

    house: House
    hub: Hub
    coach: Coach
    rates: Rates
    site: Site
    traffic: Traffic
    abandoned_days: int
    turns: Turns = field(default_factory=Turns)
    steps: Callable[[str], None] = lambda kind: None
    """Told of each bet and move that was made."""

    async def player(self, token: str | None) -> str:
        """Who asks with this token. Raises Refused (`no_session`, `rate`)."""
        player = await self.house.player_of(token)
        self.rates.player.take(player)
        return player

    async def visitor(self, token: str | None) -> Visitor:
        """Who asks for a bet or a move. Raises likewise."""
        visitor = await self.house.visitor(token)
        self.rates.player.take(visitor.player)
        return visitor

    async def bet(self, visitor: Visitor, key: str, request: BetRequest) -> str:
        """What a bet is answered with, after the player's other tabs were told of it."""
        player, session = visitor
        async with self.turns.turn(f"{player}/{request.game}"):
            answer = await self.house.bet(player, key, request, session=session)
            return self._told("bet", player, answer)

    async def move(self, visitor: Visitor, round_: str, move: Move) -> str:
        """What a move is answered with, likewise."""
        player, session = visitor
        async with self.turns.turn(round_):
            answer = await self.house.move(player, round_, move.seq, move.choice, session=session)
            return self._told("move", player, answer)

    def _told(self, kind: str, player: str, answer: Answer) -> str:
        if not answer.repeated:
            self.steps(kind)
            self.hub.tell_round(player, answer.text)
        return answer.text
