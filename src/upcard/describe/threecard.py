"""A raise-or-fold game with three cards in words: its rule fields, and how it is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from upcard.describe import house, side_bets
from upcard.describe.demands import cited, clause_for
from upcard.describe.record import Listing, Section, said
from upcard.describe.shape import Says, Shape
from upcard.describe.words import number, sentence_case
from upcard.game import Game
from upcard.threecard.hand import Best, best, outcome, total_of
from upcard.threecard.round import CARDS_EACH, EVEN, RAISE
from upcard.threecard.rules import BEST_TOTAL, Rules

MAIN = "ante"
SEEN = side_bets.Seen(three="your three cards", own="your first two cards", up="your third card")


# A sentence for each field


def _decks(rules: Rules) -> str:
    return house.decks_sentence(rules.decks)


def _qualifies_at(rules: Rules) -> str:
    least = rules.qualifies_at
    more = " or more" if least < BEST_TOTAL else ""
    return f"The dealer needs {least}{more}, soft or hard, to qualify."


def _best_of(rules: Rules) -> str:
    if rules.best_of == "any":
        return (
            f"A hand plays the best total not over {BEST_TOTAL} that any two or all three of its "
            f"cards make: {_examples(rules)}."
        )
    return (
        f"A hand plays the total of all three of its cards: {_examples(rules)}. A total over "
        f"{BEST_TOTAL} stands below every other."
    )


def _examples(rules: Rules) -> str:
    """Three hands with the totals that the rules themselves give them."""
    ace_six_three, aces, pictures = (
        best(rules, values).total for values in ((1, 6, 3), (1, 1, 1), (10, 10, 5))
    )
    return (
        f"A-6-3 is {ace_six_three}, three aces are {aces}, and a king, a queen and a five are "
        f"{pictures}"
    )


def _dealer_natural_beats_21(rules: Rules) -> str:
    if rules.dealer_natural_beats_21:
        return f"A dealer blackjack beats every {BEST_TOTAL} of yours that is no blackjack."
    return f"A dealer blackjack counts as a plain {BEST_TOTAL} against a {BEST_TOTAL} of yours."


def _tie(rules: Rules) -> str:
    if rules.tie == "push":
        return "Equal totals are a push: ante and raise come back."
    return "Equal totals lose: ante and raise are both lost."


FIELDS: Mapping[str, Callable[[Rules], str]] = {
    "decks": _decks,
    "qualifies_at": _qualifies_at,
    "best_of": _best_of,
    "dealer_natural_beats_21": _dealer_natural_beats_21,
    "tie": _tie,
}


# How it is played


def _opening(game: Game) -> str:
    least = game.rules.qualifies_at
    more = " or more" if least < BEST_TOTAL else ""
    return (
        f"{sentence_case(number(CARDS_EACH))} cards against the dealer's {number(CARDS_EACH)}, "
        f"and no card is drawn. You see yours and one of the dealer's, then you raise or fold. "
        f"The dealer needs {least}{more} to qualify, and your blackjack always wins."
    )


def _play(game: Game, says: Says) -> tuple[Section, ...]:
    return (
        _cards(game, says),
        _bets(game),
        _deal(),
        *side_bets.side_bets_section(
            game,
            main=MAIN,
            decided=said(
                "Side bets are settled with the round. Folding leaves them in play.",
                cited(game, "C-07"),
            ),
        ),
        _choices(game),
        _dealer(game, says),
        _settlement(game, says),
        _pay_tables(game),
    )


def _cards(game: Game, says: Says) -> Section:
    return Section(
        key="cards",
        title="Cards and totals",
        sentences=(
            *house.card_sentences(game, says["decks"]),
            said(_soft_words(), cited(game, "C-16")),
            says["best_of"],
            said(
                "An ace and a ten-value card among the three are a blackjack, whatever the third "
                "card is.",
                cited(game, "C-03"),
            ),
        ),
    )


def _soft_words() -> str:
    total, _ = total_of((1, 6))
    hard, _ = total_of((1, 6, 10))
    return (
        "A total in which an ace counts eleven is soft, every other total is hard: an ace and a "
        f"six are a soft {total}, an ace, a six and a ten a hard {hard}."
    )


def _bets(game: Game) -> Section:
    return Section(
        key="bets",
        title="Bets and limits",
        sentences=(
            said(
                "You play one spot: the ante is laid before the deal.",
                clause_for(game, "spots_max", str(game.spots_max)),
            ),
            *house.limit_sentences(game, later="the raise stays"),
            said(
                "DEAL needs a balance that covers the ante twice, and your side bets: the second "
                "ante is set aside, so that you can always raise. Folding frees it.",
                cited(game, "C-06"),
            ),
        ),
        listings=house.limit_listings(game, MAIN),
    )


def _deal() -> Section:
    each = number(CARDS_EACH)
    return Section(
        key="deal",
        title="The deal",
        sentences=(
            said(
                f"You get {each} cards face up, then the dealer gets {each}, the first face up "
                "and the others face down. No more cards are dealt.",
                "G-02",
            ),
        ),
    )


def _choices(game: Game) -> Section:
    return Section(
        key="choices",
        title="Your choice",
        sentences=(
            said(
                "When you have seen your cards and one of the dealer's, you raise or fold.",
                cited(game, "C-06"),
            ),
        ),
        parts=(
            Section(
                key="raise",
                title="Raise",
                sentences=(
                    said(
                        "You lay a raise of exactly the ante, and your hand is compared with the "
                        "dealer's.",
                        cited(game, "C-06"),
                    ),
                ),
            ),
            Section(
                key="fold",
                title="Fold",
                sentences=(said("You lose the ante, and the hand is over.", cited(game, "C-06")),),
            ),
        ),
    )


def _dealer(game: Game, says: Says) -> Section:
    return Section(
        key="dealer",
        title="The dealer",
        sentences=(
            said(
                "The dealer's other cards are turned up after a raise and after a fold.",
                cited(game, "C-02"),
            ),
            says["qualifies_at"],
        ),
    )


def _settlement(game: Game, says: Says) -> Section:
    return Section(
        key="settlement",
        title="Settlement",
        sentences=(
            said(
                "If the dealer does not qualify, ante and raise both come back; with a blackjack "
                f"the ante wins {EVEN} and the raise comes back.",
                cited(game, "C-09"),
            ),
            said(
                "If the dealer qualifies and you have a blackjack, ante and raise win "
                f"{EVEN} each, even against a blackjack of the dealer.",
                cited(game, "C-10"),
            ),
            said(
                f"Otherwise the higher total wins, {EVEN} on ante and raise; the lower loses both.",
                cited(game, "C-11"),
            ),
            says["tie"],
            says["dealer_natural_beats_21"],
            house.total_win_sentence(),
        ),
    )


# Pay tables


def _pay_tables(game: Game) -> Section:
    return Section(
        key="pay-tables",
        title="Pay tables",
        sentences=(house.odds_sentence(EVEN),),
        parts=(
            Section(
                key=f"pays-{game.main}",
                title="Ante and raise",
                listings=(_main_listing(game.rules),),
            ),
            *side_bets.pay_table_parts(game, SEEN),
        ),
    )


_BLACKJACK = Best(BEST_TOTAL, soft=True, natural=True)
_OTHER_21 = Best(BEST_TOTAL, soft=False, natural=False)


def _plain(total: int) -> Best:
    return Best(total, soft=False, natural=False)


def _main_listing(rules: Rules) -> Listing:
    """Each row asks the hand rules what becomes of ante and raise, so that it cannot disagree."""
    least = rules.qualifies_at
    meetings = [
        ("Your blackjack, the dealer qualifies", _BLACKJACK, _BLACKJACK),
        ("Your blackjack, the dealer does not qualify", _BLACKJACK, _plain(least - 1)),
        ("No blackjack, the dealer does not qualify", _OTHER_21, _plain(least - 1)),
        ("Higher total than a dealer who qualifies", _plain(least + 1), _plain(least)),
        ("Equal totals", _OTHER_21, _OTHER_21),
        (f"Another {BEST_TOTAL} against a dealer blackjack", _OTHER_21, _BLACKJACK),
        ("Lower total than a dealer who qualifies", _plain(least - 1), _plain(least)),
    ]
    if least == BEST_TOTAL:
        del meetings[3]
    rows = ((title, *_results(rules, player, dealer)) for title, player, dealer in meetings)
    return Listing(
        caption="Ante and raise pay",
        head=("Result", "Ante", "Raise"),
        rows=(*rows, ("You fold", _WORDS["lose"], "not laid")),
    )


_WORDS = {"win": str(EVEN), "push": "returned", "lose": "lost"}


def _results(rules: Rules, player: Best, dealer: Best) -> tuple[str, str]:
    found = outcome(rules, player, dealer)
    return _WORDS[found.ante], _WORDS[found.raise_]


def _abandoned(game: Game) -> str:
    return "it folds, and its side bets are settled" if game.side_bets else "it folds"


def _felt(game: Game) -> tuple[str, ...]:
    """C-08, C-09: the lines that a table of this game has printed on it."""
    return (
        f"Dealer qualifies with {game.rules.qualifies_at}",
        "Ante and raise push if the dealer does not qualify",
    )


THREECARD = Shape(
    fields=FIELDS,
    main=MAIN,
    opening=_opening,
    felt=_felt,
    choices=lambda _: ("raise", "fold"),
    later=lambda _: (RAISE,),
    reserved=(RAISE,),
    play=_play,
    abandoned=_abandoned,
)
