"""What the house says of every game: cards, limits, returns, the shuffle, mishaps, readings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from upcard.cards import CARDS_PER_DECK
from upcard.describe.demands import cited, clause_for
from upcard.describe.record import Listing, Section, Sentence, said
from upcard.describe.words import (
    all_of,
    amount,
    counted,
    day,
    number,
    one_of,
    rounded_percent,
    sentence_case,
)
from upcard.game import Game, Level, Limit
from upcard.money import Odds
from upcard.paytable import titled

ABANDONED_DAYS = 30
"""A round left alone for so long is finished, unless the house states another period (G-12)."""

Returns = Mapping[str, Mapping[str, Any]]
"""Decks as text → the document of `upcard odds --json` for that many decks."""


# Cards


def decks_sentence(decks: int) -> str:
    """The `decks` field of any shape."""
    together = ", shuffled together" if decks > 1 else ""
    cards = counted(CARDS_PER_DECK, "card")
    return f"The game is dealt from {counted(decks, 'deck')} of {cards}{together}, without jokers."


def card_sentences(game: Game, decks: Sentence) -> tuple[Sentence, ...]:
    """Decks, shuffle and values."""
    return (
        decks,
        *_other_decks(game),
        said("All cards are shuffled anew before every round.", "G-01"),
        said(
            "Cards from two to nine count their number; tens, jacks, queens and kings, the "
            "ten-value cards, count ten; an ace counts one or eleven, whichever serves the hand "
            "better.",
            "G-01",
        ),
    )


def _other_decks(game: Game) -> tuple[Sentence, ...]:
    others = [number(decks) for decks in game.decks_offered if decks != game.rules.decks]
    if not others or len(others) == len(game.decks_offered):
        return ()
    return (
        said(
            f"This page describes the table with {counted(game.rules.decks, 'deck')}; the game is "
            f"also dealt from {one_of(others)}, {'each ' if len(others) > 1 else ''}with odds of "
            "its own.",
            clause_for(game, "decks", str(game.rules.decks)),
        ),
    )


# Bets and limits


def bet_title(game: Game, key: str, main: str) -> str:
    """A bet's title for people; `main` is what the shape calls its main bet."""
    if key == game.main:
        return sentence_case(main)
    return next((side.title for side in game.side_bets if side.key == key), titled(key))


def limit_sentences(game: Game, *, later: str) -> tuple[Sentence, ...]:
    """How bets are laid and bound; `later` names the bets that come after the deal."""
    return (
        said(
            "DEAL takes all your bets in one step. Until then the chips on the table are not "
            "staked, and you may take them back.",
            "G-08",
        ),
        *_level_sentences(game),
        said(
            "Each bet is a whole number of steps within its limits. A chip that would pass the "
            "maximum is not added.",
            "G-09",
        ),
        said(
            f"The limits bind the bets you lay before the deal: {later} open at the maximum too.",
            "G-09",
        ),
    )


def _level_sentences(game: Game) -> tuple[Sentence, ...]:
    titles = all_of(level.title for level in game.levels)
    closed = tuple(
        said(f"{side.title} is closed at {level.title}.")
        for level in game.levels
        for side in game.side_bets
        if side.key not in level.bets
    )
    choose = said(
        f"There are {counted(len(game.levels), 'level')} of limits: {titles}. You choose one "
        "between rounds; changing it clears the table.",
        "G-10",
    )
    return (choose, *closed) if len(game.levels) > 1 else closed


def limit_listings(game: Game, main: str) -> tuple[Listing, ...]:
    """One listing for each level, a row for each bet that is open there."""
    return tuple(
        Listing(
            caption="Limits" if len(game.levels) == 1 else f"{level.title} limits",
            head=("Bet", "Minimum", "Maximum", "Step"),
            rows=_limit_rows(game, level, main),
        )
        for level in game.levels
    )


def _limit_rows(game: Game, level: Level, main: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (bet_title(game, key, main), *_limit_cells(level.bets[key]))
        for key in game.bet_keys
        if key in level.bets
    )


def _limit_cells(limit: Limit) -> tuple[str, str, str]:
    step = "fixed" if limit.min == limit.max else amount(limit.step)
    return amount(limit.min), amount(limit.max), step


# Returns


def returns_sections(game: Game, returns: Returns | None, main: str) -> tuple[Section, ...]:
    """The computed returns of each bet, or nothing when none were computed (G-14, T-87)."""
    if not returns:
        return ()
    return (
        Section(
            key="returns",
            title="House returns",
            sentences=(
                *_headline(game, returns, main),
                said(
                    "A return is what comes back on average over very many rounds, a part of "
                    "what was staked; any one session may differ from it widely.",
                    cited(game, "T-87", "A-23"),
                ),
                said(
                    "The return per money wagered counts all money put down in a round, bets "
                    "added after the deal included; the return per first bet counts only the bet "
                    "laid before the deal.",
                    "G-14",
                ),
                *_at_meter(game, returns),
            ),
            listings=tuple(
                _returns_listing(game, decks, odds, main) for decks, odds in returns.items()
            ),
        ),
    )


def _headline(game: Game, returns: Returns, main: str) -> tuple[Sentence, ...]:
    odds = returns.get(str(game.rules.decks))
    if odds is None:
        return ()
    return (
        said(
            f"Played as well as possible, the {main} returns "
            f"{rounded_percent(odds['main']['rtp_wagered'])} of the money wagered.",
            "G-14",
        ),
    )


def _at_meter(game: Game, returns: Returns) -> tuple[Sentence, ...]:
    meters = {
        side.title: side_odds["meter"]
        for odds in returns.values()
        for side in game.side_bets
        if "meter" in (side_odds := odds["side_bets"].get(side.key, {}))
    }
    return tuple(
        said(
            f"The return of {title} is given for a meter of {amount(meter)}.",
            cited(game, "T-87", "A-23"),
        )
        for title, meter in meters.items()
    )


def _returns_listing(game: Game, decks: str, odds: Mapping[str, Any], main: str) -> Listing:
    rows = [
        (
            sentence_case(main),
            rounded_percent(odds["main"]["rtp_wagered"]),
            rounded_percent(odds["main"]["rtp"]),
        )
    ]
    for side in game.side_bets:
        if side.key in odds["side_bets"]:
            rtp = rounded_percent(odds["side_bets"][side.key]["rtp"])
            rows.append((side.title, rtp, rtp))
    return Listing(
        caption=f"Returns with {counted(int(decks), 'deck')}",
        head=("Bet", "Per money wagered", "Per first bet"),
        rows=tuple(rows),
    )


# Shuffle and mishaps


def fairness_section() -> Section:
    """How anyone can check the shuffle of any round (G-01)."""
    return Section(
        key="shuffle",
        title="A shuffle you can check",
        sentences=(
            said(
                "The house fixes a secret number, the server seed, before you bet, and shows you "
                "its fingerprint (a SHA-256 hash): changing the seed afterwards would change the "
                "fingerprint. Your bet brings a seed of your own, which the house cannot know "
                "beforehand."
            ),
            said(
                "Both seeds and the number of your round decide the order of all cards by a "
                "Fisher-Yates shuffle, in which every order is as likely as any other. Nobody "
                "can change it once you have bet.",
                "G-01",
            ),
            said(
                "When the round is over you are shown the server seed. With it you, or anyone you "
                "ask, can check the fingerprint and every card that was dealt."
            ),
        ),
    )


def mishaps_section(*, finished: str, days: int) -> Section:
    """Broken connections, abandoned rounds and malfunctions (G-12, G-13)."""
    return Section(
        key="mishaps",
        title="If something goes wrong",
        sentences=(
            said("You have at most one open round in each game.", "G-12"),
            said(
                "A lost connection, a reload or a restart of the house costs you nothing: the "
                "round waits at the same decision with the same cards.",
                "G-12",
            ),
            said(
                f"A round left alone for {counted(days, 'day')} is finished for you: {finished}. "
                "You find it in your history.",
                "G-12",
            ),
            said("A malfunction voids all pays and plays.", "G-13"),
            said(
                "By malfunction we mean one thing only: the record of a round, played again, does "
                "not give the round that was recorded. That round is then undone as a whole. "
                "Every stake goes back to you and every payment is taken back, a meter win too; "
                "what you no longer have, the house bears, and your balance does not fall below "
                "zero. You are told of it, and it stays in the books.",
                "G-13",
            ),
        ),
    )


# Readings and date


def readings_sections(game: Game) -> tuple[Section, ...]:
    """Every reading with its clause (G-14)."""
    if not game.readings:
        return ()
    return (
        Section(
            key="readings",
            title="How we read the rule sheet",
            sentences=(
                said(
                    "Where the sheet of this game is silent or can be read in more than one way, "
                    "we play as follows. The letter and number name the clause in question."
                ),
                *(said(reading.sentence, reading.clause) for reading in game.readings),
            ),
            shows_clauses=True,
        ),
    )


def changed_section(game: Game) -> Section:
    return Section(
        key="changed",
        title="Last change",
        sentences=(
            said(
                f"This page was last changed on {day(game.changed)}.", cited(game, "T-88", "G-14")
            ),
        ),
    )


# Settlement


def total_win_sentence() -> Sentence:
    return said(
        "TOTAL WIN shows all that winning bets of the round paid, their stakes included; pushes "
        "and halves that came back are shown as returned, not as won.",
        "G-11",
    )


def odds_sentence(odds: Odds) -> Sentence:
    """How odds are read, shown on odds of the game itself."""
    return said(
        f"Odds of {odds} mean that you win {odds.won} for every {odds.staked} you staked, and the "
        "stake comes back with it."
    )
