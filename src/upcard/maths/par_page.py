"""The PAR sheet: rules, pay tables with counts, hit frequencies, returns, spread, plots."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from html import escape
from typing import Any

from upcard.describe import row_title, rules_fields
from upcard.describe.words import amount, pays_text
from upcard.game import Game
from upcard.maths import par, plots, report
from upcard.maths.markup import (
    PER_CENT,
    TO,
    document,
    paragraph,
    percent,
    section,
    signed,
    table,
    tiles,
)
from upcard.maths.par import LEVELS, ROUNDS, SideBetFigures
from upcard.maths.queries import VALUE_NAMES
from upcard.maths.sidebets import RowOdds, Together

Document = Mapping[str, Any]
FOOT = (
    "Computed by Upcard from the rules above: by counting every deal, without sampling, unless a "
    "figure says that it is simulated."
)


def par_html(game: Game, meter: int | None = None) -> str:
    """`upcard par GAME --html FILE`. Raises Refused as `report.odds` does."""
    odds = report.odds(game, meter)
    sides = [par.side_bet_figures(game, side, meter) for side in game.side_bets]
    parts = [
        _summary(game, odds["main"]),
        _main(game, odds["main"]),
        *(_side_bet(each) for each in sides),
        _together(par.together(game, sides)),
        _rules(game),
        _words(),
    ]
    title = f"{game.title}: PAR sheet"
    return document(title, game, "\n".join(part for part in parts if part), FOOT)


# The main bet


def _summary(game: Game, main: Document) -> str:
    return tiles(
        [
            (percent(main["rtp_wagered"]), "return per money wagered"),
            (percent(main["rtp"]), f"return per initial bet ({game.main})"),
            (percent(-main["ev"]), "house edge per initial bet"),
            (f"{main['sd']:.4f}", "standard deviation per round, exact"),
            (f"{par.volatility_index(main['sd']):.3f}", f"volatility index (90{PER_CENT})"),
            (f"{main['mean_stake']:.5f}", "mean stake per round, in initial bets"),
        ]
    )


def _main(game: Game, main: Document) -> str:
    return section(
        "The main bet",
        paragraph(
            "Played as well as possible, insurance never taken. All figures are per initial bet "
            "unless they say otherwise."
        ),
        f'<div class="two"><div>{_nets_plot(main)}{_up_cards(game, main)}</div>'
        f"<div>{_bands_plot(main['rtp'], main['sd'])}{_bands_table(main['rtp'], main['sd'])}"
        "</div></div>",
    )


def _nets_plot(main: Document) -> str:
    if "nets" not in main:
        return ""
    plot = plots.distribution(
        main["nets"],
        label="How often a round ends with each net result",
        unit="net result of a round, in initial bets",
    )
    simulated = " Rounds with a split are simulated." if main["nets_basis"] == "simulated" else ""
    caption = f"How often a round ends with each net result, in per cent of rounds.{simulated}"
    return _figure(plot, caption)


def _figure(plot: str, caption: str) -> str:
    return f"<figure>{plot}<figcaption>{caption}</figcaption></figure>"


def _up_cards(game: Game, main: Document) -> str:
    values = main["by_up_card"]
    rows = [
        (name, percent(4 / 13 if name == VALUE_NAMES[-1] else 1 / 13, 2), signed(values[name]))
        for name in (*VALUE_NAMES[1:], VALUE_NAMES[0])
        if name in values
    ]
    return table(
        ("Up card", "How often", "Value"),
        rows,
        caption="Value of a round by the dealer's up card, in initial bets",
        foot=("All", percent(1, 2), signed(main["ev"])),
    )


def _bands_plot(rtp: float, sd: float) -> str:
    keys = "".join(
        f'<span class="key k{number}"></span>{percent(level, 0)} &nbsp; '
        for number, level in enumerate(sorted(LEVELS, reverse=True))
    )
    plot = plots.bands(
        rtp,
        sd,
        [(level, par.z(level)) for level in LEVELS],
        label="Where the observed return lies, by number of rounds",
    )
    return _figure(
        plot,
        "Where the observed return per initial bet lies after so many rounds; from the widest "
        f"band inwards: {keys}",
    )


def _bands_table(rtp: float, sd: float, *, trusted: int = 0, least: float = -math.inf) -> str:
    """`trusted`: from how many rounds on; `least`: below which no return can lie."""
    rows = []
    for rounds, name in zip(ROUNDS, plots.ROUND_NAMES, strict=True):
        halves = [par.half_width(sd, rounds, level) for level in LEVELS]
        cells = [_band(max(rtp - half, least), rtp + half) for half in halves]
        rows.append((name, *(cells if rounds >= trusted else map("<i>{}</i>".format, cells))))
    return table(
        ("Rounds", *(f"{percent(level, 0)}" for level in LEVELS)),
        rows,
        caption="Where the observed return lies after so many rounds, in per cent",
    )


def _band(from_: float, to: float) -> str:
    low, high = percent(from_, 2), percent(to, 2)
    return f"{low.removesuffix(PER_CENT)}{TO}<wbr/>{high.removesuffix(PER_CENT)}"


# Side bets


def _side_bet(each: SideBetFigures) -> str:
    found, bet = each.found, each.bet
    rtp = float(found.rtp)
    rows = [
        (
            escape(row_title(bet, row.row.name)),
            escape(pays_text(row.row.pays)),
            f"{row.count:,}",
            _every(row.probability),
            _share(row, found.rtp),
        )
        for row in found.rows
    ]
    of = found.rows[0].of if found.rows else 0
    counts = table(
        ("Result", "Pays", "Count", "1 in", "Brings"),
        rows,
        caption=f"Counts of {of:,} equally likely deals, and what each brings to the return",
        foot=("All", "", f"{sum(row.count for row in found.rows):,}", "", percent(rtp)),
    )
    trusted = par.rounds_min(found)
    bands = _bands_table(rtp, found.sd, trusted=trusted, least=0.0)
    return section(
        bet.title,
        _side_bet_tiles(each),
        counts,
        f'<div class="two"><div>{bands}</div><div>{_trusted(trusted)}{_exactly(found.rtp)}'
        f"{_meter_table(each)}</div></div>",
        _meter_words(each),
    )


def _side_bet_tiles(each: SideBetFigures) -> str:
    found = each.found
    often = f", 1 in {float(1 / found.hit):.2f}" if found.hit else ""
    return tiles(
        [
            (percent(float(found.rtp)), f"return of the bet{_at(each)}"),
            (percent(float(found.hit), 3), f"hit frequency{often}"),
            (f"{found.sd:.4f}", "standard deviation per round, exact"),
            (f"{par.volatility_index(found.sd):.3f}", f"volatility index (90{PER_CENT})"),
        ]
    )


def _trusted(rounds: int) -> str:
    part = percent(float(par.PRIZE_WEIGHT), 0)
    return paragraph(
        f"The bands may be trusted from about {rounds:,} rounds on: by then every row that brings "
        f"{part} of the return or more has come {par.HITS_MIN} times. Earlier ones are in italics."
    )


def _exactly(rtp: Fraction) -> str:
    return paragraph(f"The return is exactly {rtp.numerator}/{rtp.denominator}.")


def _at(each: SideBetFigures) -> str:
    return "" if each.meter is None else f" at a meter of {amount(each.meter)}"


def _every(probability: Fraction) -> str:
    if not probability:
        return "never"
    return f"{float(1 / probability):,.{1 if probability < Fraction(1, 100) else 2}f}"


def _share(row: RowOdds, rtp: Fraction) -> str:
    brings = row.probability * row.payback
    return f"{percent(float(brings))}{plots.share_bar(float(brings / rtp) if rtp else 0.0)}"


def _meter_table(each: SideBetFigures) -> str:
    found = each.progressive
    if found is None:
        return ""
    rows = [
        ("Returned by the fixed rows", percent(float(found.fixed))),
        (
            f"Added by each {amount(found.stake)} in the meter",
            percent(float(found.per_stake_of_meter), 6),
        ),
    ]
    if found.break_even_meter is not None:
        rows.append(("Meter at which the bet breaks even", amount(found.break_even_meter)))
    rows.append(("Return in the long run", percent(float(found.long_run))))
    if found.bets_between_wins is not None:
        rows.append(("Bets per win of the meter", f"{float(found.bets_between_wins):,.2f}"))
    if found.meter_met is not None:
        rows.append(("What the meter holds when won, on average", amount(round(found.meter_met))))
    return table(("The meter", ""), rows)


def _meter_words(each: SideBetFigures) -> str:
    found = each.progressive
    if found is None:
        return ""
    share, seed = percent(float(found.pool.share), 0), amount(found.pool.seed)
    return paragraph(
        f"In the long run the players get back the fixed rows, the {share} of each stake that "
        f"enters the meter, and the {seed} with which the house fills it after each win. The "
        "break-even meter is rounded up to the whole cent, and is what the winner meets, the "
        "round's own contributions included."
    )


def _together(found: Together | None) -> str:
    if found is None:
        return ""
    titles = [escape(bet.title) for bet in found.bets]
    bets = range(len(titles))
    covariance = [
        (titles[a], *(f"{float(found.covariance(a, b)):.4f}" for b in bets)) for a in bets
    ]
    correlation = [(titles[a], *(f"{found.correlation(a, b):.4f}" for b in bets)) for a in bets]
    return section(
        "Side bets together",
        paragraph(
            "Bets on the same spot are decided by the same cards. The variance of all of them "
            "together is the sum of the covariances, each times both stakes."
        ),
        table(("Covariance", *titles), covariance, caption="Exact, per stake of each"),
        table(("Correlation", *titles), correlation),
    )


# Rules and words


def _rules(game: Game) -> str:
    rows = [
        (escape(each["field"]), escape(each["value"]), escape(each["sentence"]))
        for each in rules_fields(game)
    ]
    return section("Rules", table(("Field", "Value", "What it means"), rows, words=(0, 1, 2)))


def _words() -> str:
    return section(
        "How to read this sheet",
        paragraph(
            "The return per initial bet is what comes back of the bet laid before the deal, on "
            "average; the return per money wagered divides the same loss by all money put down in "
            "a round, doubles, splits and raises included."
        ),
        paragraph(
            f"The volatility index is the standard deviation of a round times {par.z(0.9):.3f}: "
            "divided by the square root of the rounds it is half the width of the 90 % band. "
            "Bands are those of the normal law."
        ),
    )
