"""One process of a house that plays for the meter: `meter_runner.py URL BETS SEED`.

Some players bet on the progressive, all at once; rounds whose client seed begins with `hit` are
dealt the hand that takes the whole meter. For each line `hit` all players hit it at once; after
`go` they play. Prints what was told of it, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from upcard.cards import Card, parse_cards
from upcard.fair import Shoe
from upcard.house.journal import RoundInputs, TableChoice
from upcard.house.rounds import Answer, BetRequest, House
from upcard.house.store import StoreBusy
from upcard.house.store.opening import open_store
from upcard.table import parse_spot_bets

PLAYERS = 12
CROWD = 64
"""Players who hit the meter at once, and those who play afterwards: so many share transactions."""
KINGS = parse_cards("Kh Kh Kh 5c 6d 7s 8c 9c Tc 2d 2h 2s")
HITS_EVERY = 25


def stack() -> None:
    """Only the order of the cards is arranged; everything else is the house as it is."""
    honest = RoundInputs.shoe

    def shoe(inputs: RoundInputs) -> Shoe | tuple[Card, ...]:
        return KINGS if inputs.client_seed.startswith("hit") else honest(inputs)

    RoundInputs.shoe = shoe  # type: ignore[method-assign,assignment]


async def until_taken(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """As a player's program does: what a busy house did not take is sent again, the same."""
    while True:
        try:
            return await ask()
        except StoreBusy:
            await asyncio.sleep(0.1)


async def main(url: str, bets: int, seed: str) -> dict[str, Any]:
    """What this process was told: bets that fed the meter, and awards as epoch and cents."""
    store = open_store(url)
    house = House(store, clock=time.time, entropy=secrets.token_bytes)
    await house.open()
    rng, fed, awards = random.Random(seed), 0, list[tuple[int, int]]()
    numbers = iter(range(bets))

    async def play_one(player: str, name: str) -> None:
        nonlocal fed
        request = BetRequest(
            game="top3",
            level="low",
            spots=(parse_spot_bets("1 main=5.00 progressive=5.00"),),
            client_seed=name,
            table=TableChoice(),
            document=name,
        )
        taken = await until_taken(lambda: house.bet(player, name, request))
        answer = json.loads(taken.text)
        fed += 1
        while True:
            awards.extend(
                (each["epoch"], each["paid"])
                for each in answer["events"]
                if each["type"] == "award"
            )
            if answer["status"] != "open":
                break
            choice = rng.choice([each["choice"] for each in answer["choices"]])
            id_, seq = answer["round"], answer["seq"]
            taken = await until_taken(partial(house.move, player, id_, seq, choice))
            answer = json.loads(taken.text)

    async def play(player: str) -> None:
        for number in numbers:
            await play_one(player, f"{'hit' if number % HITS_EVERY == 7 else 'c'}-{number}")

    guests = [(await house.new_session())[0] for _ in range(CROWD)]
    print("seated", flush=True)
    for volley, line in enumerate(iter(sys.stdin.readline, "go\n")):
        assert line == "hit\n", line
        at_once = guests[:PLAYERS]
        await asyncio.gather(*(play_one(guest, f"hit-v{volley}") for guest in at_once))
        print("hit", flush=True)
    await asyncio.gather(*map(play, guests))
    await store.close()
    return {"fed": fed, "awards": awards}


if __name__ == "__main__":
    stack()
    print(json.dumps(asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))))
