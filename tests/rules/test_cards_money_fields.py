"""The small values everything is made of: cards, cents, odds, pay tables, events, rule fields."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, dataclass, field
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upcard import fields
from upcard.cards import (
    CARDS,
    RANKS,
    SUIT_NAMES,
    SUITS,
    Card,
    numbered,
    parse_card,
    parse_cards,
    print_cards,
)
from upcard.events import (
    Awarded,
    BetTaken,
    CardToDealer,
    CardToSpot,
    Chosen,
    Event,
    FaceDownToDealer,
    Offered,
    Paid,
    Peeked,
    Revealed,
    Settled,
    Staked,
    record,
)
from upcard.fields import Codec, one_of, ruled, whole
from upcard.game import Game, Level, Limit
from upcard.games import ANALYSED, CATALOGUE, find
from upcard.money import (
    ForOne,
    MeterShare,
    Odds,
    Pay,
    half,
    parse_cents,
    parse_odds,
    parse_pay,
    print_cents,
)
from upcard.paytable import PayTable, Row, titled
from upcard.refused import Refused, listed
from upcard.sidebets import POKER, Pool
from upcard.table import CHOICE_NAMES, Choice, SpotBets, afford, parse_spot_bets
from upcard.threecard.rules import Rules as ThreeCardRules
from upcard.twentyone import hand as hands
from upcard.twentyone.hand import Hand
from upcard.twentyone.rules import AutoWin, Rules, SuitedNatural

quick = settings(max_examples=200, deadline=None, derandomize=True, database=None)


# Cards, numbered as the shuffle protocol numbers them


def test_a_deck_is_52_cards_numbered_by_suit_and_rank() -> None:
    """Number c: rank c mod 13 from the ace to the king, suit c div 13 from clubs to spades."""
    assert [card.number for card in CARDS] == list(range(52))
    assert [str(card) for card in CARDS] == [
        rank + suit for suit in "cdhs" for rank in "A23456789TJQK"
    ]
    assert SUIT_NAMES == ("clubs", "diamonds", "hearts", "spades")
    assert (RANKS, SUITS) == ("A23456789TJQK", "cdhs")


@pytest.mark.parametrize(
    ("number", "text"), [(0, "Ac"), (12, "Kc"), (13, "Ad"), (35, "Th"), (51, "Ks"), (52, "Ac")]
)
def test_card_numbers_go_round_every_52(number: int, text: str) -> None:
    assert str(numbered(number)) == text


def test_values_are_those_of_the_table() -> None:
    """G-01: 2 to 10 count their face, jack, queen and king 10, an ace 1 here."""
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert [card.value for card in CARDS] == values * 4
    assert [str(card) for card in CARDS if card.is_ace] == ["Ac", "Ad", "Ah", "As"]
    assert {str(card)[0] for card in CARDS if card.is_ten} == set("TJQK")


def test_every_card_parses_back() -> None:
    assert tuple(parse_card(str(card)) for card in CARDS) == CARDS
    assert parse_cards(print_cards(CARDS)) == CARDS
    assert parse_cards("  Th\t2c ") == (Card(9, 2), Card(1, 0))
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "T",
        "10h",
        "hT",
        "th",
        "TH",
        "1h",
        "0h",
        "Tx",
        "Ahh",
        " Ah",
        "A\u2665",
        "\uff21h",
        "??",
        "Ah2c",
    ],
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="rank of A23456789TJQK and a suit of cdhs") as refused:
        parse_card(text)
    assert refused.value.code == "field"


def test_one_bad_card_refuses_them_all() -> None:
    with pytest.raises(Refused, match="'Xx' is no card"):
        parse_cards("Ah Xx 2c")


# Cents


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("0", 0),
        ("0.01", 1),
        ("0.5", 50),
        ("0.50", 50),
        ("10", 1_000),
        ("10.05", 1_005),
        ("2000.00", 200_000),
        ("9999999999.99", 999_999_999_999),
    ],
)
def test_amounts_are_read_exactly(text: str, cents: int) -> None:
    assert parse_cents(text) == cents


BAD_AMOUNTS = [
    "",
    " ",
    "-1",
    "-0.01",
    "+1",
    "1.",
    ".5",
    "1.005",
    "0.001",
    "1e3",
    "1E3",
    "1,000",
    "1 000",
    "1_000",
    "01",
    "00",
    "0x10",
    "inf",
    "nan",
    "1.0.0",
    "10.00\n",
    " 10",
    "10 ",
    "$5",
    "\u0663",
    "\uff11\uff10",
    "1.\u0665\u0660",
    "\u00b2",
    "1" * 14,
    "1" * 5_000,
    "99999999999.99",
]


@pytest.mark.parametrize("text", BAD_AMOUNTS)
def test_what_is_no_amount_is_refused(text: str) -> None:
    """Negative, huge, foreign digits, exponents, three decimals: none is a bet."""
    with pytest.raises(Refused, match=r"write it like 10 or 10\.50, at most two decimals") as no:
        parse_cents(text)
    assert no.value.code == "field"


@quick
@given(st.integers(0, 10**12 - 1))
def test_amounts_parse_back(cents: int) -> None:
    assert parse_cents(print_cents(cents)) == cents


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "0.00"), (5, "0.05"), (1_050, "10.50"), (-5, "-0.05"), (-250, "-2.50")]
)
def test_amounts_are_written_with_two_decimals(cents: int, text: str) -> None:
    assert print_cents(cents) == text


def test_only_what_halves_exactly_is_halved() -> None:
    """G-09: insurance and surrender are halves; there is no rounding anywhere."""
    assert half(50) == 25
    with pytest.raises(AssertionError, match="51 cents"):
        half(51)


# Ways to pay


@pytest.mark.parametrize(
    ("pay", "stake", "paid"),
    [
        (Odds(1), 100, 200),
        (Odds(3, 2), 50, 125),
        (Odds(2), 250, 750),
        (Odds(0), 100, 100),
        (Odds(6, 5), 500, 1_100),
        (ForOne(125), 500, 62_500),
        (ForOne(3), 500, 1_500),
        (ForOne(0), 500, 0),
    ],
)
def test_odds_return_the_stake_and_for_one_does_not(
    pay: Odds | ForOne, stake: int, paid: int
) -> None:
    """T-80, T-85."""
    assert pay.is_exact(stake)
    assert pay.paid(stake) == paid


def test_odds_that_break_a_cent_pay_nothing_at_all() -> None:
    assert not Odds(3, 2).is_exact(25)
    with pytest.raises(AssertionError, match="3:2 on 25 cents"):
        Odds(3, 2).paid(25)


@pytest.mark.parametrize(
    ("text", "pay"),
    [
        ("9:1", Odds(9)),
        ("3:2", Odds(3, 2)),
        ("0:1", Odds(0)),
        ("125 for 1", ForOne(125)),
        ("125for1", ForOne(125)),
        ("meter", MeterShare()),
        ("meter/10", MeterShare(10)),
    ],
)
def test_a_way_to_pay_is_read_and_parses_back(text: str, pay: Pay) -> None:
    assert parse_pay(text) == pay
    assert parse_pay(str(pay)) == pay


def test_a_meter_share_is_exact_for_any_stake() -> None:
    assert MeterShare(3).is_exact(1)
    assert str(MeterShare(3)) == "meter/3"
    assert str(MeterShare()) == "meter"


# Digits of other scripts are digits to a careless pattern.
BAD_ODDS = ["", "3", "3:0", ":2", "3:", "3/2", "-3:2", "3:-2", "3.5:1", "3:2 ", "1111111:1"]
FOREIGN_ODDS = ["\u0663:2", "1\u0660:1", "3:1\u0660", "\uff13:2"]


@pytest.mark.parametrize("text", [*BAD_ODDS, *FOREIGN_ODDS, "3:02"])
def test_what_are_no_odds_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="write them like 3:2 or 10:1") as refused:
        parse_odds(text)
    assert refused.value.code == "field"


BAD_PAYS = ["for 1", "5 for 2", "-5 for 1", "meter/0", "meter/", "meters", "METER"]
FOREIGN_PAYS = ["\u0663 for 1", "meter/1\u0660"]


@pytest.mark.parametrize("text", [*BAD_ODDS, *FOREIGN_ODDS, *BAD_PAYS, *FOREIGN_PAYS])
def test_what_is_no_way_to_pay_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="write it like 9:1, '125 for 1', meter or meter/10") as no:
        parse_pay(text)
    assert no.value.code == "field"


@quick
@given(st.integers(0, 999_999), st.integers(1, 999_999), st.integers(1, 10**9))
def test_odds_pay_what_their_fraction_says(won: int, staked: int, steps: int) -> None:
    odds = Odds(won, staked)
    assert parse_odds(str(odds)) == odds
    stake = steps * staked
    assert odds.paid(stake) == stake + stake * Fraction(won, staked)


# Pay tables


TABLE = PayTable((Row("straight_flush", Odds(30)), Row("straight", Odds(10))))


def test_the_first_row_that_fits_pays() -> None:
    """A-17."""
    assert TABLE.first({"straight", "flush", "straight_flush"}) == Row("straight_flush", Odds(30))
    assert TABLE.first({"straight", "flush"}) == Row("straight", Odds(10))
    assert TABLE.first({"flush"}) is None
    assert TABLE.first(()) is None
    assert str(TABLE.rows[0]) == "straight_flush=30:1"


def test_a_row_is_named_once() -> None:
    with pytest.raises(Refused, match="names each row once") as refused:
        PayTable((Row("flush", Odds(1)), Row("flush", Odds(2))))
    assert refused.value.code == "field"


def test_a_row_can_pay_otherwise_where_it_stands() -> None:
    changed = TABLE.with_pay("straight", Odds(9), POKER.outcomes)
    assert changed.rows == (Row("straight_flush", Odds(30)), Row("straight", Odds(9)))
    assert TABLE.rows[1].pays == Odds(10)


def test_a_new_row_goes_where_it_ranks() -> None:
    changed = TABLE.with_pay("three_of_a_kind", Odds(20), POKER.outcomes)
    names = [row.name for row in changed.rows]
    assert names == ["straight_flush", "three_of_a_kind", "straight"]


def test_a_row_that_the_bet_does_not_know_is_refused() -> None:
    with pytest.raises(Refused, match="'pair' is no row of this bet; its rows are") as refused:
        TABLE.with_pay("pair", Odds(1), POKER.outcomes)
    assert refused.value.code == "field"
    assert "flush" in refused.value.sentence


@pytest.mark.parametrize(
    ("name", "title"), [("three_of_a_kind", "Three of a kind"), ("aaa", "Aaa"), ("", "")]
)
def test_rows_have_names_for_people(name: str, title: str) -> None:
    assert titled(name) == title


def test_a_pool_takes_its_share_exactly() -> None:
    """T-85: 0.85 of 5.00."""
    pool = Pool(key="p", seed=1_000_000, share=Fraction(17, 100))
    assert pool.contribution(500) == 85
    assert pool.is_exact(500)
    assert not pool.is_exact(50)
    with pytest.raises(AssertionError, match="17/100 of 50 cents"):
        pool.contribution(50)


# Refusals


@pytest.mark.parametrize(
    ("words", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")],
)
def test_words_are_listed_as_a_person_lists_them(words: list[str], text: str) -> None:
    assert listed(words) == text
    assert listed(words, "and") == text.replace(" or ", " and ")


def test_a_refusal_is_a_code_and_a_sentence() -> None:
    refused = Refused("limit", "Too much.")
    assert (refused.code, refused.sentence, str(refused)) == ("limit", "Too much.", "Too much.")


# Bets of a spot


def test_the_bets_of_a_spot_parse_back() -> None:
    bets = SpotBets(2, (("main", 1_000), ("classic", 150)))
    assert str(bets) == "2 main=10.00 classic=1.50"
    assert parse_spot_bets(str(bets)) == bets
    assert (bets.total, bets.cents("classic"), bets.cents("top3")) == (1_150, 150, 0)
    assert parse_spot_bets("3") == SpotBets(3, ())


BAD_SPOTS = ["", "x", "-1", "1.0", "\u00b9", "\u0663", "main=1", "9" * 5_000]


@pytest.mark.parametrize("number", BAD_SPOTS, ids=lambda text: text[:6])
def test_what_is_no_spot_is_refused(number: str) -> None:
    with pytest.raises(Refused, match=r"is no spot; write bets like '1 main=10\.00'") as refused:
        parse_spot_bets(f"{number} main=1" if number else "")
    assert refused.value.code == "field"


@pytest.mark.parametrize("text", ["1 main", "1 main=1 main=2", "1 main=1 main=1", "1 main:1"])
def test_each_bet_of_a_spot_is_given_once(text: str) -> None:
    with pytest.raises(
        Refused, match=r"is no bet of its own; write it like main=10\.00"
    ) as refused:
        parse_spot_bets(text)
    assert refused.value.code == "field"


@pytest.mark.parametrize("amount", ["", "-5", "1e3", "1.005", "\u0663", "=5", "9" * 20])
def test_a_bet_of_no_amount_is_refused(amount: str) -> None:
    with pytest.raises(Refused, match="is no amount") as refused:
        parse_spot_bets(f"1 main={amount}")
    assert refused.value.code == "field"


# Priced choices


def test_what_the_balance_covers_to_the_cent_is_open() -> None:
    """G-07: disabled with the reason, never taken away."""
    double = Choice(choice="double", spot=1, hand=0, cost=1_000, warning="Double on hard 12?")
    stand = Choice(choice="stand", spot=1, hand=0)
    assert afford((double, stand), 1_000) == (double, stand)
    poor, same = afford((double, stand), 999)
    assert same == stand
    assert not poor.enabled
    assert poor.why == "Double costs 10.00 and the balance is 9.99."
    assert (poor.choice, poor.cost, poor.warning) == ("double", 1_000, double.warning)


def test_the_choices_are_those_of_the_contract() -> None:
    assert " ".join(CHOICE_NAMES) == (
        "hit stand double split surrender rescue insurance no_insurance even_money no_even_money "
        "raise fold"
    )


# Events as the HTTP contract writes them


@pytest.mark.parametrize(
    ("event", "sent"),
    [
        (BetTaken(1, "main", 500), {"type": "bet", "spot": 1, "bet": "main", "cents": 500}),
        (
            CardToSpot(2, 1, Card(9, 2), 14, False),
            {
                "type": "card",
                "to": "spot",
                "spot": 2,
                "hand": 1,
                "card": "Th",
                "total": 14,
                "soft": False,
            },
        ),
        (
            CardToDealer(Card(0, 3), 11, True),
            {"type": "card", "to": "dealer", "card": "As", "total": 11, "soft": True},
        ),
        (FaceDownToDealer(), {"type": "card", "to": "dealer", "card": None}),
        (Offered(3, "insurance"), {"type": "offer", "spot": 3, "choice": "insurance"}),
        (Chosen(1, 2, "hit"), {"type": "choice", "spot": 1, "hand": 2, "choice": "hit"}),
        (
            Staked(1, 0, "insurance", 250),
            {"type": "stake", "spot": 1, "hand": 0, "bet": "insurance", "cents": 250},
        ),
        (Peeked(True), {"type": "peek", "natural": True}),
        (
            Revealed(Card(12, 0), 21, True),
            {"type": "reveal", "card": "Kc", "total": 21, "soft": True},
        ),
        (
            Paid(1, 0, "main", "win", 500, 1_000),
            {
                "type": "pay",
                "spot": 1,
                "hand": 0,
                "bet": "main",
                "row": "win",
                "stake": 500,
                "paid": 1_000,
            },
        ),
        (
            Paid(1, None, "classic", "lose", 100, 0),
            {"type": "pay", "spot": 1, "bet": "classic", "row": "lose", "stake": 100, "paid": 0},
        ),
        (
            Awarded(1, "progressive", 4, 1_000_085, 1_000_085),
            {
                "type": "award",
                "spot": 1,
                "bet": "progressive",
                "epoch": 4,
                "meter": 1_000_085,
                "paid": 1_000_085,
            },
        ),
        (Settled(500, 1_000), {"type": "settled", "staked": 500, "paid": 1_000}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_event_is_sent_as_the_contract_writes_it(event: Event, sent: dict[str, object]) -> None:
    assert record(7, event) == {"n": 7, **sent}


# Hand rules of drawing to 21


def test_a_total_counts_an_ace_eleven_while_it_fits() -> None:
    """G-01: A-6 is soft 17, A-6-9 hard 16, A-A 12, A-A-9 21."""
    seen = {
        text: (hand.total, hand.soft, hand.bust)
        for text in ("Ac 6d", "Ac 6d 9h", "Ac Ad", "Ac Ad 9h", "Kc Qd 2h", "Kc Qd Ah")
        for hand in [hands.hand_of(parse_cards(text))]
    }
    assert seen == {
        "Ac 6d": (17, True, False),
        "Ac 6d 9h": (16, False, False),
        "Ac Ad": (12, True, False),
        "Ac Ad 9h": (21, True, False),
        "Kc Qd 2h": (22, False, True),
        "Kc Qd Ah": (21, False, False),
    }


@pytest.mark.parametrize(
    ("choice", "first", "last", "soft"),
    [
        ("hit", 17, 20, False),
        ("hit", 19, 20, True),
        ("stand", 4, 11, False),
        ("stand", 12, 17, True),
        ("double", 12, 20, False),
        ("double", 19, 20, True),
    ],
)
def test_a_warning_is_given_for_what_is_rarely_meant(
    choice: str, first: int, last: int, soft: bool
) -> None:
    """T-53: HIT on hard 17+ or soft 19+, STAND on hard 11- or soft 17-, DOUBLE on hard 12+ or soft
    19+; a 21 is not asked.
    """
    name = next(known for known in CHOICE_NAMES if known == choice)
    warned = {
        total
        for total in range(12 if soft else 4, 21)
        for hand in [Hand(total - 10 if soft else total, soft, 3)]
        if hands.warning(name, hand)
    }
    assert warned == {*range(first, last + 1)}
    kind = "soft" if soft else "hard"
    sentence = hands.warning(name, Hand(first - 10 if soft else first, soft, 3))
    assert sentence == f"{choice.capitalize()} on {kind} {first}?"


def test_other_choices_and_doubled_hands_have_no_warning() -> None:
    assert hands.warning("surrender", Hand(20, False, 2)) is None
    assert hands.warning("split", Hand(20, False, 2)) is None
    assert hands.warning("stand", Hand(8, False, 3, doubled=True)) is None


def test_a_natural_is_two_cards_and_never_split() -> None:
    """T-04, T-66, A-03: an ace and a ten after a split are a plain 21."""
    assert hands.is_natural(Hand(11, True, 2))
    assert not hands.is_natural(Hand(11, True, 2, from_split=True))
    assert not hands.is_natural(Hand(21, True, 3))
    assert not hands.is_natural(Hand(12, True, 2))


def test_a_dealer_natural_beats_every_other_21() -> None:
    """Three cards or a split ace and ten do not push it; a drawn 21 of the dealer's is a push."""
    natural, drawn = Hand(11, True, 2), Hand(21, False, 3)
    assert hands.compare(drawn, natural) == "lose"
    assert hands.compare(Hand(11, True, 2, from_split=True), natural) == "lose"
    assert hands.compare(drawn, drawn) == "push"
    assert hands.compare(Hand(20, False, 2), Hand(22, False, 3)) == "win"


def test_automatic_wins_are_the_best_that_fits() -> None:
    """S-09, S-10: never doubled, never over 21."""
    rules = Rules(auto_wins=(AutoWin(6, None, Odds(1)), AutoWin(5, 21, Odds(2))))
    assert hands.auto_win(rules, Hand(21, False, 6)) == Odds(2)
    assert hands.auto_win(rules, Hand(11, True, 5)) == Odds(2)
    assert hands.auto_win(rules, Hand(20, False, 6)) == Odds(1)
    assert hands.auto_win(rules, Hand(20, False, 5)) is None
    assert hands.auto_win(rules, Hand(21, False, 6, doubled=True)) is None
    assert hands.auto_win(rules, Hand(22, False, 6)) is None


# Rule fields


def test_the_fields_of_drawing_games_are_those_of_the_contract() -> None:
    """The names that `--set` takes, in their order."""
    assert " ".join(fields.codecs(Rules)) == (
        "decks dealer_hits_soft_17 hole_card natural natural_wins_always natural_suited auto_wins "
        "double.cards double.totals double.after_split double.rescue "
        "split.hands_max split.aces split.resplit_aces "
        "surrender insurance even_money stands_on_21"
    )


def test_the_fields_of_three_cards_are_those_of_the_contract() -> None:
    assert " ".join(fields.codecs(ThreeCardRules)) == (
        "decks qualifies_at best_of dealer_natural_beats_21 tie"
    )


EXAMPLES = [
    (rules, name, text)
    for rules in (Rules(), ThreeCardRules())
    for name, codec in fields.codecs(rules).items()
    for text in codec.examples
]


@pytest.mark.parametrize(("rules", "name", "text"), EXAMPLES)
def test_an_example_of_a_field_parses_back(
    rules: Rules | ThreeCardRules, name: str, text: str
) -> None:
    changed = fields.replaced(rules, name, text)
    assert fields.texts(changed)[name] == text
    others = {key: value for key, value in fields.texts(changed).items() if key != name}
    assert others == {key: value for key, value in fields.texts(rules).items() if key != name}


def test_a_field_has_different_examples() -> None:
    for rules in (Rules, ThreeCardRules):
        for name, codec in fields.codecs(rules).items():
            assert len(set(codec.examples)) > 1, name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("decks", "8"),
        ("natural", "6:5"),
        ("auto_wins", "6@1:1,5/21@2:1"),
        ("auto_wins", "11@1:1"),
        ("auto_wins", "3/3@9:1"),
        ("natural_suited", "clubs@2:1"),
        ("natural_suited", "hearts@3:2"),
        ("double.totals", "10,11"),
        ("double.totals", "4,20"),
    ],
)
def test_the_contract_s_own_texts_parse_back(name: str, text: str) -> None:
    assert fields.texts(fields.replaced(Rules(), name, text))[name] == text


def test_totals_are_kept_in_order() -> None:
    changed = fields.replaced(Rules(), "double.totals", "11,9,10")
    assert changed.double.totals == (9, 10, 11)
    assert fields.texts(changed)["double.totals"] == "9,10,11"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    word: str = ruled("a", one_of("a", "b"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    number: int = ruled(3, whole(1, 4))
    inner: Inner = field(default_factory=Inner)


def test_any_record_of_fields_reads_and_writes_dotted_names() -> None:
    assert fields.texts(Outer()) == {"number": "3", "inner.word": "a"}
    changed = fields.replaced(Outer(), "inner.word", "b")
    assert changed == Outer(inner=Inner(word="b"))
    with pytest.raises(Refused, match="'inner' is no rule field here; the fields are number and"):
        fields.replaced(Outer(), "inner", "b")


def test_codecs_say_what_they_allow() -> None:
    assert whole(1, 4).allowed == "a whole number from 1 to 4"
    assert one_of("a", "b", "c").allowed == "a, b or c"
    assert isinstance(fields.FLAG, Codec)


def test_rules_print_what_they_are() -> None:
    assert str(SuitedNatural("diamonds", Odds(2))) == "diamonds@2:1"
    assert str(AutoWin(5, 21, Odds(2))) == "5/21@2:1"
    assert str(AutoWin(6, None, Odds(1))) == "6@1:1"


def test_values_cannot_be_changed() -> None:
    """Rules, bets, cards and tables are values; a variant is another one."""
    values: list[tuple[object, str]] = [
        (Card(0, 0), "rank"),
        (Odds(1), "won"),
        (Rules(), "decks"),
        (SpotBets(1, ()), "spot"),
        (TABLE, "rows"),
        (find("ags"), "rules"),
    ]
    for value, name in values:
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(value, name, 5)


# Games


def test_the_catalogue_is_the_four_games_and_the_bare_table_is_analysed() -> None:
    assert [game.key for game in CATALOGUE] == ["top3", "threecard", "super21", "ags"]
    assert [game.key for game in ANALYSED] == [*(game.key for game in CATALOGUE), "blackjack"]
    assert find("blackjack", ANALYSED) is ANALYSED[-1]


@pytest.mark.parametrize(
    ("key", "decks", "spots", "open_", "alone", "asks"),
    [
        ("top3", (6, 7, 8), 3, 3, False, True),  # T-01, T-02, T-81, T-21, T-50
        ("threecard", (1,), 1, 1, False, False),  # C-01, C-16, C-05
        ("super21", (8,), 1, 0, False, False),  # S-01, S-15
        ("ags", (6,), 3, 2, True, False),
    ],
)
def test_tables_are_those_of_the_clauses(
    key: str, decks: tuple[int, ...], spots: int, open_: int, alone: bool, asks: bool
) -> None:
    game = find(key)
    assert game.decks_offered == decks
    assert game.rules.decks == decks[0]
    assert game.spots_max == spots
    assert game.side_bets_open_max == open_
    assert game.side_bet_alone == alone
    assert game.insurance_setting == asks


def test_trifecta_and_match_super_are_open_at_first() -> None:
    """A-14."""
    game = find("ags")
    assert [side.key for side in game.at_table().side_bets] == ["trifecta", "match_super"]
    chosen = game.at_table(side_bets=["in_bet", "pairs_pay"])
    assert [side.key for side in chosen.side_bets] == ["pairs_pay", "in_bet"]
    assert list(chosen.levels[0].bets) == ["main", "pairs_pay", "in_bet"]
    assert chosen.bet_keys == ("main", "pairs_pay", "in_bet")


def test_the_meter_is_that_of_the_clause() -> None:
    """T-85: starts at 10,000.00, 17 % of each stake; one pool for all levels and decks."""
    (pool,) = [side.pool for side in find("top3").side_bets if side.pool]
    assert (pool.key, pool.seed, pool.share) == ("top3", 1_000_000, Fraction(17, 100))


def test_a_pay_of_a_variant_shows_in_its_text_alone() -> None:
    game = find("ags")
    changed = game.with_pay("in_bet", "one", "12:1")
    assert changed.side_bet("in_bet").pays.first({"one"}) == Row("one", Odds(12))
    assert changed.rules_hash != game.rules_hash
    lines = set(str(changed).splitlines()) ^ set(str(game).splitlines())
    assert lines == {"in_bet.one=12:1", "in_bet.one=10:1"}
    assert changed.with_pay("in_bet", "one", "10:1") == game


def test_a_rules_hash_is_a_sha_256_of_the_text() -> None:
    """Equal texts, equal hashes; every table of every game has another one."""
    hashes = [
        game.at_table(decks=decks).rules_hash for game in ANALYSED for decks in game.decks_offered
    ]
    assert len(set(hashes)) == len(hashes)
    assert all(re.fullmatch("[0-9a-f]{64}", text) for text in hashes)


def test_limits_say_what_they_take() -> None:
    assert str(Limit(50, 500, 50)) == "0.50 to 5.00 in steps of 0.50"
    assert str(Limit(500, 500, 500)) == "exactly 5.00"


def test_games_have_titles_and_dates() -> None:
    """G-14, T-88: the rules page shows the day of its last change."""
    for game in ANALYSED:
        assert isinstance(game, Game)
        assert game.title
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", game.changed)
        assert all(isinstance(level, Level) and level.title for level in game.levels)
        assert all(re.fullmatch(r"[GTCSA]-\d\d", reading.clause) for reading in game.readings)
