"""What every request meets: the house, its streams, its coach, its limits and its doors."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from upcard.house.rounds import Answer, House
from upcard.server.coach import Coach
from upcard.server.gate import Traffic
from upcard.server.rates import Rates
from upcard.server.sessions import Site
from upcard.server.stream import Hub


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

    async def player(self, asked: HTTPConnection) -> str:
        """Who asks. Raises Refused (`no_session`, `rate`)."""
        player = await self.house.player_of(self.site.token(asked))
        self.rates.player.take(player)
        return player

    def told(self, player: str, answer: Answer) -> str:
        """What a bet or a move is answered with, after the player's other tabs were told of it."""
        if not answer.repeated:
            self.hub.tell_round(player, answer.text)
        return answer.text
