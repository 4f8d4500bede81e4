"""Side bets in words: when they are laid and settled, what each looks at, what each row is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from upcard.describe.demands import cited, clause_for
from upcard.describe.record import Listing, Section, Sentence, said
from upcard.describe.words import (
    all_of,
    amount,
    counted,
    number,
    pays_text,
    percent,
    sentence_case,
)
from upcard.game import Game
from upcard.money import ForOne, MeterShare
from upcard.paytable import Row, titled
from upcard.sidebets import ACES, BETWEEN, MATCH, PAIR, POKER, Evaluator, Pool, SideBet


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a shape calls the three cards that side bets look at."""

    three: str
    own: str
    up: str


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of side bet: what it is about, and a title and an explanation for each outcome."""

    about: str
    rows: Mapping[str, tuple[str, str]]


KINDS: Mapping[Evaluator, Kind] = {
    POKER: Kind(
        "{three} make a three-card poker hand",
        {
            "suited_aces_kings": (
                "Suited aces or kings, three of a kind",
                "three aces or three kings of one suit",
            ),
            "suited_three": ("Suited three of a kind", "three cards of one rank and one suit"),
            "three_fives": ("Three fives", "three fives of any suits"),
            "straight_flush": ("Straight flush", "a straight in one suit"),
            "three_of_a_kind": ("Three of a kind", "three cards of one rank"),
            "straight": ("Straight", "three ranks in a row"),
            "flush": ("Flush", "three cards of one suit"),
        },
    ),
    MATCH: Kind(
        "each of {own} that has the rank of {up} is a match, a suited one if the suit is the same",
        {
            "two_suited": ("Two suited matches", "both cards match in rank and suit"),
            "suited_unsuited": (
                "One suited and one unsuited match",
                "both cards match in rank, one of them in suit",
            ),
            "suited": ("Suited match", "one card matches in rank and suit"),
            "two_unsuited": ("Two unsuited matches", "both cards match in rank, neither in suit"),
            "unsuited": ("Unsuited match", "one card matches in rank but not in suit"),
        },
    ),
    PAIR: Kind(
        "{own} must have the same rank: two kings are a pair here, a king and a queen are none",
        {
            "suited": ("Suited pair", "two cards of one rank and one suit"),
            "unsuited": ("Unsuited pair", "two cards of one rank and two suits"),
        },
    ),
    BETWEEN: Kind(
        "the bet is that the rank of {up} lies strictly between the ranks of {own}, the ace being "
        "the highest; the spread is the number of ranks between those two, so a four and an eight "
        "have a spread of three",
        {
            "triple": ("Three of one rank", "all three cards have the same rank"),
            "one": ("Spread of one", "one rank lies between the two cards"),
            "two": ("Spread of two", "two ranks lie between them"),
            "three": ("Spread of three", "three ranks lie between them"),
            "more": ("Wider spread", "four ranks or more lie between them"),
        },
    ),
    ACES: Kind(
        "{three} are ranked by the aces among them; T stands for any ten-value card, x "
        "for any card from two to nine",
        {
            "aaa": ("A-A-A", "three aces"),
            "aat": ("A-A-T", "two aces and a ten-value card"),
            "aax": ("A-A-x", "two aces and a lower card"),
            "att": ("A-T-T", "an ace and two ten-value cards"),
            "atx": ("A-T-x", "an ace, a ten-value card and a lower card"),
            "axx": ("A-x-x", "an ace and two lower cards"),
        },
    ),
}

_PLAIN: Mapping[str, str] = {
    "three": "{three} decide",
    "two_and_up": "{own} and {up} decide",
    "two": "{own} decide",
}
"""Evaluators that no one has described say at least which cards they look at."""


def row_title(side: SideBet, name: str) -> str:
    """A row's title for people: `aat` of Ace Plus → `A-A-T`."""
    kind = KINDS.get(side.evaluate)
    return kind.rows[name][0] if kind and name in kind.rows else titled(name)


# How side bets are played


def side_bets_section(game: Game, *, main: str, decided: Sentence) -> tuple[Section, ...]:
    """When side bets may be laid and when they are settled; nothing for a game without any."""
    if not game.side_bets:
        return ()
    sentences = (
        *_open_at_once(game),
        _beside_main(game, main),
        *(_needs(game, side) for side in game.side_bets if side.needs),
        decided,
        said(
            "A side bet is paid once, by the highest row of its table that fits.",
            cited(game, "A-17", "C-12", "T-84"),
        ),
        said(
            "A side bet may be of any size within its limits, whatever the other bets are.",
            cited(game, "T-81", "A-22"),
        ),
    )
    return (Section(key="side-bets", title="Side bets", sentences=sentences),)


def _open_at_once(game: Game) -> tuple[Sentence, ...]:
    count, known = game.side_bets_open_max, len(game.side_bets)
    titles = all_of(side.title for side in game.side_bets)
    if count >= known:
        return (said(f"The table has {counted(known, 'side bet')}: {titles}."),)
    return (
        said(
            f"There are {counted(known, 'side bet')}: {titles}. Exactly {number(count)} of them "
            "are on the table at a time; choose them while no chip lies and no round is open.",
            clause_for(game, "side_bets_open_max", str(count)),
        ),
    )


def _beside_main(game: Game, main: str) -> Sentence:
    clause = clause_for(game, "side_bet_alone", str(game.side_bet_alone).lower())
    if not game.side_bet_alone:
        return said(f"A side bet is laid beside the {main}, never without it.", clause)
    return said(
        f"A spot may carry the {main}, side bets, or both. A spot with side bets alone is dealt "
        "in its place and its side bets are settled; it is neither asked nor compared with the "
        f"dealer. If no {main} lies on the table, the round ends with the side bets.",
        clause,
    )


def _needs(game: Game, side: SideBet) -> Sentence:
    needed = next((other.title for other in game.side_bets if other.key == side.needs), None)
    other = needed or titled(side.needs or "")
    return said(
        f"{side.title} also needs {other} on the same spot; taking {other} away takes "
        f"{side.title} with it.",
        cited(game, "T-81"),
    )


# Pay tables


def pay_table_parts(game: Game, seen: Seen) -> tuple[Section, ...]:
    """One part for each side bet: what it looks at, and the rows that pay."""
    return tuple(_pay_table_part(game, side, seen) for side in game.side_bets)


def _pay_table_part(game: Game, side: SideBet, seen: Seen) -> Section:
    kind = KINDS.get(side.evaluate)
    about = kind.about if kind else _PLAIN[side.evaluate.sees]
    words = about.format(three=seen.three, own=seen.own, up=seen.up)
    return Section(
        key=f"pays-{side.key}",
        title=side.title,
        sentences=(
            said(f"{sentence_case(words)}."),
            *_about_straights(game, side),
            *_for_one(game, side),
        ),
        listings=(_pay_listing(side, kind),),
    )


def _about_straights(game: Game, side: SideBet) -> tuple[Sentence, ...]:
    runs = {"straight", "straight_flush"} & {row.name for row in side.pays.rows}
    if side.evaluate is not POKER or not runs:
        return ()
    return (
        said(
            "The ace is low in A-2-3 and high in Q-K-A; K-A-2 is no straight.",
            cited(game, "T-86", "A-18"),
        ),
    )


def _for_one(game: Game, side: SideBet) -> tuple[Sentence, ...]:
    """What `for 1` means, on the highest row that pays so."""
    pays = next((row.pays for row in side.pays.rows if isinstance(row.pays, ForOne)), None)
    if pays is None:
        return ()
    stake = _only_stake(game, side)
    example = f", {amount(pays.paid(stake))} on {amount(stake)}" if stake else ""
    return (
        said(
            f"{pays} means that {pays.stakes} times the stake come back{example}; the stake is not "
            "returned on top.",
            cited(game, "T-85"),
        ),
    )


def _pay_listing(side: SideBet, kind: Kind | None) -> Listing:
    rows = tuple(_pay_row(side, row, kind) for row in side.pays.rows)
    head = ("Hand", "What it is", "Pays") if kind else ("Hand", "Pays")
    return Listing(caption=f"{side.title} pays", head=head, rows=rows)


def _pay_row(side: SideBet, row: Row, kind: Kind | None) -> tuple[str, ...]:
    title, pays = row_title(side, row.name), pays_text(row.pays)
    if kind is None:
        return title, pays
    return title, kind.rows[row.name][1] if row.name in kind.rows else title, pays


# Progressives


def progressive_sections(game: Game) -> tuple[Section, ...]:
    """One section for each side bet with a meter."""
    return tuple(
        Section(
            key=f"progressive-{side.key}",
            title=f"The {side.title} meter",
            sentences=(
                _contribution(game, side, side.pool),
                *_meter_rows(game, side, side.pool),
                *_one_meter(game, side),
                said(
                    "If several hands win from the meter, they are paid in the order in which "
                    "their rounds are recorded, within a round the rightmost spot first: the "
                    "first takes its share of what stands, the next its share of what then "
                    "stands.",
                    cited(game, "T-85"),
                ),
            ),
        )
        for side in game.side_bets
        if side.pool
    )


def _only_stake(game: Game, side: SideBet) -> int | None:
    """The one amount that the bet takes at every level that has it, or None."""
    limits = [level.bets[side.key] for level in game.levels if side.key in level.bets]
    amounts = {limit.min for limit in limits} | {limit.max for limit in limits}
    return amounts.pop() if len(amounts) == 1 else None


def _contribution(game: Game, side: SideBet, pool: Pool) -> Sentence:
    stake, share = _only_stake(game, side), percent(pool.share)
    if stake is None:
        enters = f"Of each stake on {side.title}, {share} enters a meter"
    else:
        enters = (
            f"{side.title} takes exactly {amount(stake)}; {amount(pool.contribution(stake))} of "
            f"it ({share}) enters a meter"
        )
    return said(
        f"{enters} in the very step that takes the bet, so that a hand which wins the meter wins "
        "its own round's share too.",
        cited(game, "T-85"),
    )


def _meter_rows(game: Game, side: SideBet, pool: Pool) -> tuple[Sentence, ...]:
    shares = [row for row in side.pays.rows if isinstance(row.pays, MeterShare)]
    found = [said(f"The meter starts at {amount(pool.seed)}.", cited(game, "T-85"))]
    if pool.cap is not None:
        found.append(said(f"It never shows more than {amount(pool.cap)}.", cited(game, "T-85")))
    for row in shares:
        takes = f'"{row_title(side, row.name)}" takes {pays_text(row.pays)}'
        whole = row.pays == MeterShare()
        left = (
            f"the meter then starts again at {amount(pool.seed)}"
            if whole
            else "the rest stays in it"
        )
        found.append(said(f"{takes}; {left}.", cited(game, "T-85")))
    if shares:
        found.append(
            said(
                "What the meter pays is all that comes back, without the stake.",
                cited(game, "T-85"),
            )
        )
    if len(shares) < len(side.pays.rows):
        which = "The other hands" if shares else "All winning hands"
        found.append(
            said(
                f"{which} are paid by the house and leave the meter as it is.", cited(game, "T-85")
            )
        )
    return tuple(found)


def _one_meter(game: Game, side: SideBet) -> tuple[Sentence, ...]:
    levels = [level.title for level in game.levels if side.key in level.bets]
    decks = game.decks_offered
    served = [f"the levels {all_of(levels)}"] if len(levels) > 1 else []
    served += [f"tables of {all_of(map(number, decks))} decks"] if len(decks) > 1 else []
    return (said(f"One meter serves {all_of(served)}.", cited(game, "T-85")),) if served else ()
