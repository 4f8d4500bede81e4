"""A game of drawing to 21 in words: how it is played, in the order of a round (G-03)."""

from __future__ import annotations

from upcard.describe import house, side_bets
from upcard.describe.demands import cited, clause_for
from upcard.describe.record import Listing, Section, Sentence, said
from upcard.describe.shape import Says, Shape
from upcard.describe.twentyone_fields import FIELDS, auto_win_words, best_first
from upcard.describe.words import counted, sentence_case
from upcard.game import Game
from upcard.money import Odds
from upcard.table import CHOICE_NAMES, ChoiceName
from upcard.twentyone.felt import INSURANCE
from upcard.twentyone.hand import DEALER_STANDS_FROM, EVEN, Hand, natural_result
from upcard.twentyone.rules import BEST_TOTAL, Rules

MAIN = "main bet"
SEEN = side_bets.Seen(
    three="your first two cards and the dealer's face-up card",
    own="your first two cards",
    up="the dealer's face-up card",
)


def _opening(game: Game) -> str:
    rules: Rules = game.rules
    spots = (
        f"Up to {counted(game.spots_max, 'spot')} play"
        if game.spots_max > 1
        else "You play one spot"
    )
    dealer = "hits" if rules.dealer_hits_soft_17 else "stands on"
    suited = rules.natural_suited
    special = f" ({suited.odds} in {suited.suit})" if suited else ""
    return (
        f"Come closer to {BEST_TOTAL} than the dealer without going over it. {spots} against the "
        f"dealer, with {counted(rules.decks, 'deck')}. A natural, an ace with a ten-value card, "
        f"pays {rules.natural}{special}; the dealer {dealer} soft {DEALER_STANDS_FROM}."
    )


def _play(game: Game, says: Says) -> tuple[Section, ...]:
    return (
        _cards(game, says),
        _bets(game),
        _deal(game, says),
        *side_bets.side_bets_section(
            game,
            main=MAIN,
            decided=said(
                "Side bets are decided by the first cards and settled as soon as these are "
                "dealt, whatever becomes of the main bet.",
                cited(game, "T-82", "A-15"),
            ),
        ),
        _insurance(game, says),
        _naturals(game, says),
        _choices(game, says),
        *(_automatic(game, says) if game.rules.auto_wins else ()),
        _dealer(game, says),
        _settlement(game, says),
        _pay_tables(game),
    )


# Before the deal


def _cards(game: Game, says: Says) -> Section:
    return Section(
        key="cards",
        title="Cards and totals",
        sentences=(
            *house.card_sentences(game, says["decks"]),
            said(_soft_words(), cited(game, "C-16", "S-17")),
            said(f"A hand over {BEST_TOTAL} is bust."),
            said(
                "An ace and a ten-value card as the first two cards of a spot are a natural, "
                "also called blackjack.",
                cited(game, "T-04", "A-03", "S-05"),
            ),
        ),
    )


def _soft_words() -> str:
    """The one place that explains soft and hard, with the hand rules' own totals."""
    soft = Hand().plus(1).plus(6)
    return (
        "A total in which an ace counts eleven is soft, every other total is hard. An ace and a "
        f"six are a soft {soft.total}; a ten more makes them a hard {soft.plus(10).total}, because "
        "the ace then counts one."
    )


def _bets(game: Game) -> Section:
    return Section(
        key="bets",
        title="Bets, spots and limits",
        sentences=(
            _spots(game),
            *house.limit_sentences(game, later=f"{_later_bets(game.rules)} stay"),
            said(
                f"{sentence_case(_later_bets(game.rules))} need their whole amount in your "
                "balance, and what you won earlier in the round counts. A choice that your balance "
                "cannot cover is shown closed, with the reason.",
                "G-07",
            ),
        ),
        listings=house.limit_listings(game, MAIN),
    )


def _spots(game: Game) -> Sentence:
    clause = clause_for(game, "spots_max", str(game.spots_max))
    if game.spots_max == 1:
        return said("You play one spot, laid with your main bet.", clause)
    return said(
        f"You may play up to {counted(game.spots_max, 'spot')} in a round, each with bets of its "
        "own. Spot 1 is the rightmost; it is dealt to, played and paid first.",
        clause,
    )


def _later_bets(rules: Rules) -> str:
    splits = "splits, " if rules.split.hands_max > 1 else ""
    return f"{splits}doubles and insurance"


def _deal(game: Game, says: Says) -> Section:
    if game.spots_max > 1:
        order = (
            "Each spot with a bet gets a card face up, from the rightmost to the left, then the "
            "dealer gets one face up; then each spot gets its second card in the same order."
        )
    else:
        order = "You get a card face up, the dealer gets one face up, then you get your second."
    return Section(
        key="deal",
        title="The deal",
        sentences=(said(order, "G-02"), says["hole_card"]),
    )


# After the deal


def _insurance(game: Game, says: Says) -> Section:
    rules: Rules = game.rules
    setting = (
        said(
            "In the settings you may choose never to be asked for insurance; nothing else in the "
            "round changes.",
            clause_for(game, "insurance_setting", "true"),
        ),
    )
    rounds = (said("Each spot with a main bet is asked in turn, from the rightmost.", "G-03"),)
    return Section(
        key="insurance",
        title="Insurance and even money" if rules.even_money else "Insurance",
        sentences=(
            says["insurance"],
            says["even_money"],
            *(rounds if game.spots_max > 1 else ()),
            *_dealer_looks(rules),
            *_after_insurance(rules),
            *(setting if game.insurance_setting else ()),
        ),
    )


def _dealer_looks(rules: Rules) -> tuple[Sentence, ...]:
    if rules.hole_card == "none":
        return (
            said("Insurance is settled when the dealer's second card is dealt.", "G-03"),
            said("Under a ten-value card no insurance is offered.", "G-03"),
        )
    own = {"win": "still wins", "push": "is a push"}[natural_result(rules, dealer_natural=True)]
    return (
        said(
            "When all have answered, the dealer looks at the hole card and insurance is settled. "
            "Under a ten-value card the dealer looks straight away, and no insurance is offered.",
            "G-03",
        ),
        said(
            "If the dealer has a natural, the round ends there: main bets lose, but your own "
            f"natural {own}, and insurance pays.",
            "G-03",
        ),
    )


def _after_insurance(rules: Rules) -> tuple[Sentence, ...]:
    if rules.surrender == "none" or rules.hole_card == "none":
        return ()
    return (
        said(
            "Insurance is settled by the time you may surrender: a surrender gives back half of "
            "the main bet alone.",
            "G-15",
        ),
    )


def _naturals(game: Game, says: Says) -> Section:
    rules: Rules = game.rules
    if rules.natural_wins_always:
        paid = "A natural is paid before any hand is played, and you are not asked to play it."
    elif rules.hole_card == "peek":
        paid = (
            "A natural is paid as soon as the dealer is known to have none, and you are not asked "
            "to play it."
        )
    else:
        paid = (
            "You are not asked to play a natural. It is paid at once unless the dealer shows an "
            "ace or a ten-value card; then it waits for the dealer's second card."
        )
    split = (
        said(
            f"An ace and a ten-value card after a split are a plain {BEST_TOTAL} and no natural.",
            "G-06",
        ),
    )
    return Section(
        key="naturals",
        title="Naturals",
        sentences=(
            says["natural"],
            says["natural_suited"],
            says["natural_wins_always"],
            said(paid, "G-05"),
            *(split if rules.split.hands_max > 1 else ()),
        ),
    )


# Choices


def _choices(game: Game, says: Says) -> Section:
    rules: Rules = game.rules
    turn = (
        "Spots are played one after the other from the rightmost. The choices open to the hand "
        "are shown with what they cost."
        if game.spots_max > 1
        else "The choices open to the hand are shown with what they cost."
    )
    rescue = (_rescue(says),) if rules.double.rescue else ()
    return Section(
        key="choices",
        title="Your choices",
        sentences=(said(turn, "G-03"),),
        parts=(
            _hit(game, says),
            _stand(game),
            _double(game, says),
            *rescue,
            _split(game, says),
            _surrender(game, says),
        ),
    )


def _hit(game: Game, says: Says) -> Section:
    return Section(
        key="hit",
        title="Hit",
        sentences=(
            said(
                "You take one more card, and may go on taking cards as long as the hand is yours "
                f"to play. Over {BEST_TOTAL} you are bust and lose the bet at once.",
                cited(game, "T-23", "A-06"),
            ),
            says["stands_on_21"],
        ),
    )


def _stand(game: Game) -> Section:
    onward = (
        "The hand waits for the dealer, and play passes to the next hand on the left."
        if _many_hands(game)
        else "The dealer plays."
    )
    return Section(
        key="stand",
        title="Stand",
        sentences=(
            said(
                f"You take no more cards. {onward}",
                cited(game, "T-24", "A-06"),
            ),
        ),
    )


def _many_hands(game: Game) -> bool:
    return bool(game.spots_max > 1 or game.rules.split.hands_max > 1)


def _double(game: Game, says: Says) -> Section:
    after = () if game.rules.double.rescue else (says["double.rescue"],)
    return Section(
        key="double",
        title="Double",
        sentences=(
            said(
                "You put a second bet on the hand, exactly as large as the one that lies there; "
                "the hand gets one more card and then stands, with both bets on it.",
                cited(game, "T-60", "S-06", "A-09"),
            ),
            says["double.cards"],
            says["double.totals"],
            says["double.after_split"],
            *after,
        ),
    )


def _rescue(says: Says) -> Section:
    return Section(
        key="rescue",
        title="Rescue",
        sentences=(
            says["double.rescue"],
            said(
                f"A doubled {BEST_TOTAL} stands without being asked.",
                says["double.rescue"].clause,
            ),
        ),
    )


def _split(game: Game, says: Says) -> Section:
    how = (
        said(
            "You lay an equal bet and play the two cards as two hands. Both get their second "
            "card at once, the right one first; then they are played from right to left.",
            "G-06",
        ),
        said(
            "Any two ten-value cards are of equal value, a king and a queen too.",
            cited(game, "T-63", "S-11", "A-07"),
        ),
    )
    return Section(
        key="split",
        title="Split",
        sentences=(
            says["split.hands_max"],
            *(how if game.rules.split.hands_max > 1 else ()),
            says["split.aces"],
            says["split.resplit_aces"],
        ),
    )


def _surrender(game: Game, says: Says) -> Section:
    rules: Rules = game.rules
    if rules.surrender == "none":
        when: tuple[Sentence, ...] = ()
    elif rules.hole_card == "peek":
        when = (
            said(
                "A dealer natural comes first: it takes the whole bet before you could surrender.",
                cited(game, "T-67", "S-08", "A-10"),
            ),
        )
    else:
        when = (
            said(
                "The hand is settled at once, so that half comes back even if the dealer then "
                "makes a natural.",
                "G-03",
            ),
        )
    return Section(key="surrender", title="Surrender", sentences=(says["surrender"], *when))


# The end of the round


def _automatic(game: Game, says: Says) -> tuple[Section, ...]:
    own = said(
        "A hand of a split counts its own cards, the one it was split from included.",
        cited(game, "S-10"),
    )
    return (
        Section(
            key="automatic",
            title="Automatic wins",
            sentences=(
                says["auto_wins"],
                said(
                    "Such a hand is paid as soon as the card lies there, whatever the dealer has.",
                    "G-03",
                ),
                *((own,) if game.rules.split.hands_max > 1 else ()),
            ),
        ),
    )


def _dealer(game: Game, says: Says) -> Section:
    second = (
        "When all hands are played, the hole card is turned up, in every round."
        if game.rules.hole_card == "peek"
        else "The dealer gets a second card only if some bet still waits for it."
    )
    return Section(
        key="dealer",
        title="The dealer",
        sentences=(
            said(
                f"{second} The dealer draws only if a hand that stood, or was doubled, still waits "
                "for the result.",
                "G-04",
            ),
            says["dealer_hits_soft_17"],
        ),
    )


def _settlement(game: Game, says: Says) -> Section:
    natural = (
        said(
            f"A natural of the dealer beats every {BEST_TOTAL} of yours that is no natural.",
            "G-03",
        ),
    )
    return Section(
        key="settlement",
        title="Settlement",
        sentences=(
            said(
                "The hands that stood are compared with the dealer's, from the rightmost.", "G-03"
            ),
            said(
                f"If the dealer is over {BEST_TOTAL} or you have the higher total, you win "
                f"{EVEN}; the lower total loses; equal totals are a push, and the bet comes back.",
                cited(game, "T-28", "S-16", "A-13"),
            ),
            *(natural if game.rules.hole_card == "none" else ()),
            *(() if game.rules.auto_wins else (says["auto_wins"],)),
            house.total_win_sentence(),
        ),
    )


# Pay tables


def _pay_tables(game: Game) -> Section:
    return Section(
        key="pay-tables",
        title="Pay tables",
        sentences=(house.odds_sentence(game.rules.natural),),
        parts=(
            Section(
                key=f"pays-{game.main}",
                title=sentence_case(MAIN),
                listings=(_main_listing(game.rules),),
            ),
            *side_bets.pay_table_parts(game, SEEN),
        ),
    )


def _main_listing(rules: Rules) -> Listing:
    return Listing(
        caption=f"{sentence_case(MAIN)} and insurance pay",
        head=("Result", "Pays"),
        rows=(
            *_natural_rows(rules),
            *(
                (sentence_case(auto_win_words(win)), str(win.odds))
                for win in best_first(rules.auto_wins)
            ),
            ("Winning hand", str(EVEN)),
            ("Insurance, if the dealer has a natural", str(rules.insurance)),
            *([("Even money, if you take it", str(EVEN))] if rules.even_money else []),
            ("Push", "bet returned"),
            *([("Surrender", "half the bet returned")] if rules.surrender != "none" else []),
            *([("Rescue", "original bet returned")] if rules.double.rescue else []),
        ),
    )


def _natural_rows(rules: Rules) -> tuple[tuple[str, str], ...]:
    suited = rules.natural_suited
    special = ((f"Natural of two {suited.suit}", str(suited.odds)),) if suited else ()
    title = "Any other natural" if suited else "Natural"
    against = {"win": "as any natural", "push": "bet returned"}
    return (
        *special,
        (title, str(rules.natural)),
        (
            "Natural against a natural of the dealer",
            against[natural_result(rules, dealer_natural=True)],
        ),
    )


def _abandoned(game: Game) -> str:
    declined = "insurance and even money are" if game.rules.even_money else "insurance is"
    return f"{declined} declined and its hands stand"


def _felt(game: Game) -> tuple[str, ...]:
    """T-06, S-02, S-03, A-02: the lines that a table of this game has printed on it."""
    rules: Rules = game.rules
    soft = (
        f"Dealer must hit soft {DEALER_STANDS_FROM}"
        if rules.dealer_hits_soft_17
        else f"Dealer stands on all {DEALER_STANDS_FROM}s"
    )
    insurance = f"Insurance pays {rules.insurance.won} to {rules.insurance.staked}"
    return (f"Blackjack pays {_on_felt(rules.natural)}", f"{soft} · {insurance}")


def _on_felt(odds: Odds) -> str:
    return "even money" if odds == EVEN else f"{odds.won} to {odds.staked}"


def _offered(game: Game) -> tuple[ChoiceName, ...]:
    rules: Rules = game.rules
    asked = {
        "even_money": rules.even_money,
        "no_even_money": rules.even_money,
        "split": rules.split.hands_max > 1,
        "surrender": rules.surrender != "none",
        "rescue": rules.double.rescue,
        "raise": False,
        "fold": False,
    }
    return tuple(choice for choice in CHOICE_NAMES if asked.get(choice, True))


TWENTYONE = Shape(
    fields=FIELDS,
    main=MAIN,
    opening=_opening,
    felt=_felt,
    choices=_offered,
    later=lambda _: (INSURANCE,),
    reserved=(),
    play=_play,
    abandoned=_abandoned,
)
