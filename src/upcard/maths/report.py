"""What `upcard odds` and `upcard strategy` answer, for any game and variant.

`python -m upcard.maths.report` computes the odds of all games that are served and writes them to
`upcard/reports/<game>.json`, from which rules pages and the house take them, and their charts to
`charts.jsonl`, by which the simulator plays without solving anything first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from upcard import fields
from upcard.game import Game
from upcard.games import CATALOGUE
from upcard.maths import (
    progressive,
    shoe,
    sidebets,
    threecard,
    threecard_play,
    twentyone_play,
)
from upcard.maths.queries import VALUE_NAMES
from upcard.maths.shoe import Shoe
from upcard.maths.sidebets import SideBetOdds
from upcard.refused import Refused, listed
from upcard.sidebets import SideBet
from upcard.threecard.rules import Rules as ThreeCardRules
from upcard.twentyone.rules import Rules as TwentyOneRules

Document = dict[str, Any]


def odds(game: Game, meter: int | None = None) -> Document:
    """The odds of every bet of a game. `meter` in cents is how the progressive meter stands.

    Raises Refused (`field`) for a meter that the game lacks or that cannot be.
    """
    _check_meter(game, meter)
    return {
        "game": game.key,
        "decks": game.rules.decks,
        "rules": fields.texts(game.rules),
        "main": main_odds(game),
        "side_bets": side_bets(game, meter),
    }


def _check_meter(game: Game, meter: int | None) -> None:
    if meter is None:
        return
    if all(side.pool is None for side in game.side_bets):
        raise Refused("field", f"--meter: no bet of {game.key} has a meter; leave it out.")
    if meter < 0:
        raise Refused("field", f"--meter {meter} cannot be; a meter holds 0 cents or more.")


# The main bet


def main_odds(game: Game) -> Document:
    """The main bet alone, insurance never taken; all per initial bet.

    More than the contract asks: `nets`, the net results of a round with their probabilities, exact
    or, as `nets_basis` says, with the rounds that split simulated; and exact fractions where there
    are any. The standard deviation is exact always.
    """
    match game.rules:
        case TwentyOneRules() as rules:
            return _twentyone_main(rules)
        case ThreeCardRules() as rules:
            return _threecard_main(rules)
        case _:
            raise AssertionError(f"{game.key}: {type(game.rules)} has no maths yet")


def _twentyone_main(rules: TwentyOneRules) -> Document:
    solution = twentyone_play.solved(rules)
    found = solution.spread
    return {
        "ev": solution.ev,
        "mean_stake": solution.mean_stake,
        "rtp": solution.rtp,
        "rtp_wagered": solution.rtp_wagered,
        "sd": solution.sd,
        "sd_basis": "exact",
        "by_up_card": solution.by_up_card,
        "nets": [[net, chance] for net, chance in found.chances.items()],
        "nets_basis": found.basis,
    }


def _threecard_main(rules: ThreeCardRules) -> Document:
    solution = threecard.solve(rules)
    ev, stake = solution.ev, solution.mean_stake
    return {
        "ev": float(ev),
        "mean_stake": float(stake),
        "rtp": float(1 + ev),
        "rtp_wagered": float(1 + ev / stake),
        "sd": solution.sd,
        "sd_basis": "exact",
        "by_up_card": {
            VALUE_NAMES[up - 1]: float(value) for up, value in solution.by_up_card.items()
        },
        "ev_exact": _text(ev),
        "mean_stake_exact": _text(stake),
        "nets": [[float(net), float(chance)] for net, chance in solution.nets.items()],
        "nets_basis": "exact",
    }


def _text(fraction: Fraction) -> str:
    """`a/b`, also for a whole number."""
    return f"{fraction.numerator}/{fraction.denominator}"


# Side bets


def side_bets(game: Game, meter: int | None = None) -> Document:
    """Every side bet of a game, open at its table or not."""
    cards = shoe.full(game.rules.decks)
    return {side.key: _side_bet(game, side, cards, meter) for side in game.side_bets}


def _side_bet(game: Game, side: SideBet, cards: Shoe, meter: int | None) -> Document:
    if side.pool is None:
        return _counted(sidebets.side_bet(side, cards))
    meter = side.pool.seed if meter is None else meter
    stake = progressive.stake_of(game, side)
    found = progressive.progressive(side, cards, stake)
    return _counted(sidebets.side_bet(side, cards, meter=meter, stake=stake)) | {
        "meter": meter,
        "fixed": _text(found.fixed),
        "per_stake_of_meter": float(found.per_stake_of_meter),
        "break_even_meter": found.break_even_meter,
        "long_run": float(found.long_run),
        "long_run_exact": _text(found.long_run),
        "bets_between_wins": _float(found.bets_between_wins),
        "meter_met": _float(found.meter_met),
    }


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _counted(found: SideBetOdds) -> Document:
    return {
        "rtp": float(found.rtp),
        "rtp_exact": _text(found.rtp),
        "hit": float(found.hit),
        "sd": found.sd,
        "rows": [
            {
                "name": row.row.name,
                "pays": str(row.row.pays),
                "count": row.count,
                "of": row.of,
                "probability": _text(row.probability),
            }
            for row in found.rows
        ],
    }


# One hand


def hand_values(
    game: Game, hand: str, up: str, *, split: bool = False, doubled: bool = False
) -> dict[str, float]:
    """`upcard odds GAME --hand HAND --up UP`: each choice open to the hand → its value.

    Raises Refused (`field`) for cards that are none, too many of a kind, or a hand that cannot be.
    """
    match game.rules:
        case TwentyOneRules() as rules:
            return twentyone_play.hand_values(rules, hand, up, split=split, doubled=doubled)
        case ThreeCardRules() as rules:
            return threecard_play.hand_values(rules, hand, up, split=split, doubled=doubled)
        case _:
            raise AssertionError(f"{game.key}: {type(game.rules)} has no maths yet")


# Strategy


def strategy(game: Game) -> Document:
    """`upcard strategy GAME --json`."""
    match game.rules:
        case TwentyOneRules() as rules:
            return twentyone_play.strategy(rules)
        case ThreeCardRules() as rules:
            return threecard_play.strategy(rules)
        case _:
            raise AssertionError(f"{game.key}: {type(game.rules)} has no maths yet")


# The reports of the package


def reports(game: Game) -> dict[str, Document]:
    """Decks as text → odds, for all decks that a game is offered with."""
    return {str(decks): odds(game.with_rule("decks", str(decks))) for decks in game.decks_offered}


def charts() -> Iterator[Document]:
    """The best charts of the games that draw, for all decks they are offered with."""
    for game in CATALOGUE:
        for decks in game.decks_offered:
            rules = game.with_rule("decks", str(decks)).rules
            if isinstance(rules, TwentyOneRules):
                chart = twentyone_play.best_chart(rules).as_dict()
                yield {"rules": fields.texts(rules), "chart": chart}


def write(folder: Path) -> None:
    """Compute the reports of all games that are served and write one file a game; and the charts,
    one a line."""
    folder.mkdir(exist_ok=True)
    lines = [json.dumps(chart, separators=(",", ":")) + "\n" for chart in charts()]
    (folder / "charts.jsonl").write_text("".join(lines), encoding="utf-8")
    for game in CATALOGUE:
        text = json.dumps(reports(game), indent=1) + "\n"
        (folder / f"{game.key}.json").write_text(text, encoding="utf-8")
        print(
            f"{game.key}: {listed([*map(str, game.decks_offered)], 'and')} decks", file=sys.stderr
        )


if __name__ == "__main__":
    write(Path(__file__).parent.parent / "reports")
