"""What holds of every game: those of the catalogue, one made up in a literal, odd rule sets.

`choices` is what `step` accepts, money is conserved, no card comes twice, the player sees nothing
of a face-down card, hands count in playing order, every value has a text that parses back, every
rule field matters, and a wrong kind of input is a programmer's mistake in every phase.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from random import Random
from typing import cast

import pytest

from tests.rules import naive
from tests.rules.dealer import (
    ACES,
    GAME_TABLES,
    ODD_TABLES,
    TABLES,
    TENS,
    Played,
    assert_settled_alike,
    begin_random,
    follow,
    play,
    played,
    prefers,
    random_bets,
    random_round,
    restless,
)
from upcard import fields, scripts
from upcard.cards import CARDS, Card, parse_card, parse_cards, print_cards
from upcard.events import (
    Awarded,
    BetTaken,
    CardToDealer,
    CardToSpot,
    Chosen,
    Event,
    FaceDownToDealer,
    Paid,
    Peeked,
    Revealed,
    Settled,
    Staked,
    record,
)
from upcard.game import Game, Round
from upcard.games import ANALYSED
from upcard.money import parse_pay
from upcard.refused import Refused
from upcard.table import (
    CHOICE_NAMES,
    FACE_DOWN,
    CardFor,
    Choice,
    ChoiceFor,
    ChoiceName,
    Given,
    Meter,
    MeterFor,
    SpotBets,
    Table,
    afford,
    parse_spot_bets,
    table_record,
)

each_table = pytest.mark.parametrize("table", TABLES)
ROUNDS = 12


@cache
def rounds(table: str) -> tuple[Played, ...]:
    return tuple(random_round(table, number) for number in range(ROUNDS))


@cache
def all_stages(table: str) -> tuple[Round, ...]:
    """Every state of all these rounds."""
    return tuple(stage for it in rounds(table) for stage in stages(it.round))


def stages(finished: Round) -> Iterator[Round]:
    """A round from its first state to its last."""
    round_ = Round.begin(
        finished.game, finished.level, finished.spots, ask_insurance=finished.ask_insurance
    )
    yield round_
    for given in finished.given:
        round_ = round_.give(given)
        yield round_


def is_drawing(game: Game) -> bool:
    return game.main == "main"


# Choices


@each_table
def test_choices_are_exactly_what_step_accepts(table: str) -> None:
    """G-07: `choices` are all for the hand that is asked, none twice."""
    for stage in all_stages(table):
        wanted = stage.wants
        if not isinstance(wanted, ChoiceFor):
            assert stage.choices == ()
            continue
        assert stage.choices
        assert {(choice.spot, choice.hand) for choice in stage.choices} == {
            (wanted.spot, wanted.hand)
        }
        offered = [choice.choice for choice in stage.choices]
        assert len(set(offered)) == len(offered)
        before = repr(stage)
        for name in CHOICE_NAMES:
            if name in offered:
                stage.give(name)
            else:
                with pytest.raises(Refused, match=name) as refused:
                    stage.give(name)
                assert refused.value.code == "choice"
                assert all(open_ in refused.value.sentence for open_ in offered)
        for nonsense in ("", "HIT", "hit ", "double down"):
            with pytest.raises(Refused, match="is not offered now"):
                stage.give(cast(ChoiceName, nonsense))
        assert repr(stage) == before


@each_table
def test_a_choice_is_told_first_and_costs_its_price(table: str) -> None:
    """G-07: what a choice costs is staked at once, on the spot that chose."""
    for stage in all_stages(table):
        for choice in stage.choices:
            happened = stage.give(choice.choice).events[len(stage.events) :]
            assert happened[0] == Chosen(choice.spot, choice.hand, choice.choice)
            staked = [event for event in happened if isinstance(event, Staked)]
            assert sum(event.cents for event in staked) == choice.cost
            assert all(event.spot == choice.spot for event in staked)
            assert choice.enabled
            assert choice.why is None


@each_table
def test_a_wrong_kind_of_input_is_a_programmers_mistake(table: str) -> None:
    inputs: dict[type, Given] = {CardFor: CARDS[0], ChoiceFor: "stand", MeterFor: Meter(1)}
    for stage in all_stages(table):
        for kind, given in inputs.items():
            if not isinstance(stage.wants, kind):
                with pytest.raises(AssertionError, match=type(stage.state).__name__):
                    stage.give(given)


@each_table
def test_what_the_balance_cannot_cover_is_disabled_with_the_reason(table: str) -> None:
    """G-07: nothing is taken away, nothing is made in part."""
    for stage in all_stages(table):
        for balance in {0, *(price for choice in stage.choices for price in around(choice.cost))}:
            weighed = afford(stage.choices, balance)
            for choice, after in zip(stage.choices, weighed, strict=True):
                if choice.cost <= balance:
                    assert after == choice
                else:
                    assert not after.enabled
                    assert after == choice._replace(enabled=False, why=after.why)
                    assert f"{choice.cost / 100:.2f}" in (after.why or "")
                    assert f"{balance / 100:.2f}" in (after.why or "")


def around(price: int) -> tuple[int, int]:
    return max(0, price - 1), price


@each_table
def test_what_is_reserved_makes_every_later_raise_affordable(table: str) -> None:
    """C-06: the raise is open to everyone dealt in and released with the decision."""
    for stage in all_stages(table):
        raising = [choice.cost for choice in stage.choices if choice.choice == "raise"]
        undecided = not any(isinstance(event, Chosen) for event in stage.events)
        if is_drawing(stage.game) or not undecided:
            assert stage.reserved == 0
        else:
            assert stage.reserved == stage.spots[0].cents("ante")
        assert raising in ([], [stage.reserved])


def test_a_hand_that_may_only_stand_is_not_asked() -> None:
    """Split aces may only split again; when the right pair has, the left one finds no place left.

    Three hands at most: the left pair of aces was open while there were two.
    """
    game = TABLES["four hands, aces again, one card each"].game.with_rule("split.hands_max", "3")
    cards = parse_cards("Ac 9d Ad 8h" + " Ah As" + " 5c 6c")
    begun = Round.begin(game, "table", [SpotBets(1, (("main", 1_000),))])
    it = played(begun, cards, prefers("split"), 0)
    assert it.asked == [(1, 0, ("double", "hit", "split", "stand")), (1, 0, ("split", "stand"))]
    (spot,) = it.round.table.spots
    assert [hand.cards for hand in spot.hands] == [("Ac", "5c"), ("Ah", "6c"), ("Ad", "As")]
    assert [hand.state for hand in spot.hands] == ["lost", "push", "lost"]


# Money


@each_table
def test_money_is_conserved(table: str) -> None:
    """Every stake is settled once, nothing else is paid, and `Settled` has both sums."""
    for it in rounds(table):
        events = it.round.events
        taken = [event.cents for event in events if isinstance(event, BetTaken | Staked)]
        paid = [event for event in events if isinstance(event, Paid)]
        places = [(event.spot, event.hand, event.bet) for event in paid]
        assert len(set(places)) == len(places)
        assert sum(event.stake for event in paid) == sum(taken)
        assert min(taken) > 0
        assert min(event.paid for event in paid) >= 0
        assert events[-1] == Settled(sum(taken), sum(event.paid for event in paid))
        assert sum(isinstance(event, Settled) for event in events) == 1


@each_table
def test_a_stake_lies_on_its_spot_until_it_is_settled(table: str) -> None:
    """At any time: what was staked on a spot and not yet settled is what still lies there."""
    for stage in all_stages(table):
        staked, settled = Counter[int](), Counter[int]()
        for event in stage.events:
            if isinstance(event, BetTaken | Staked):
                staked[event.spot] += event.cents
            elif isinstance(event, Paid):
                settled[event.spot] += event.stake
        assert all(settled[spot] <= staked[spot] for spot in staked)
        assert stage.is_over == (settled == staked)


@each_table
def test_a_spot_shows_all_its_money(table: str) -> None:
    """G-11, T-69: doubles and splits show on the hands, insurance until it is settled."""
    for stage in all_stages(table):
        main, insurance, raised = Counter[int](), Counter[int](), Counter[int]()
        for event in stage.events:
            match event:
                case BetTaken(spot, "main" | "ante", cents) | Staked(spot, _, "main", cents):
                    main[spot] += cents
                case Staked(spot, _, "raise", cents):
                    main[spot] += cents
                    raised[spot] += cents
                case Staked(spot, _, "insurance", cents):
                    insurance[spot] += cents
                case Paid(spot, _, "insurance", _, stake, _):
                    insurance[spot] -= stake
                case _:
                    pass
        bets = {spot.spot: dict(spot.bets) for spot in stage.spots}
        for spot_view in stage.table.spots:
            number = spot_view.spot
            assert sum(hand.stake for hand in spot_view.hands) == main[number]
            later = {"insurance": insurance[number], "raise": raised[number]}
            lies = {bet: cents for bet, cents in later.items() if cents}
            assert spot_view.bets == bets[number] | lies


# Cards


def one_deck_round(table: str, number: int) -> Played:
    """Distinct cards, an ace or a ten up as often as anything else."""
    rng = Random(f"one deck {table} {number}")
    game = TABLES[table].game.with_rule("decks", "1")
    level = rng.choice(TABLES[table].levels)
    spots = random_bets(rng, game, level)[:2]
    cards = rng.sample(CARDS, len(CARDS))
    wanted = (ACES, TENS, CARDS)[number % 3]
    up = cards.index(rng.choice(wanted))
    at = len(spots) if is_drawing(game) else 3
    cards[at], cards[up] = cards[up], cards[at]
    return played(Round.begin(game, level, spots), cards, restless(rng), 10**6)


@each_table
def test_each_card_is_dealt_once_and_in_order(table: str) -> None:
    for number in range(12):
        round_ = one_deck_round(table, number).round
        given = [item for item in round_.given if isinstance(item, Card)]
        dealt: list[Card | None] = []
        for event in round_.events:
            match event:
                case CardToSpot(card=card) | CardToDealer(card=card):
                    dealt.append(card)
                case FaceDownToDealer():
                    dealt.append(None)
                case Revealed(card=card):
                    dealt[dealt.index(None)] = card
                case _:
                    pass
        assert dealt == given
        assert len(set(given)) == len(given)
        shown = [card for spot in round_.table.spots for hand in spot.hands for card in hand.cards]
        assert Counter(map(str, given)) == Counter([*shown, *round_.table.dealer.cards])


@each_table
def test_hands_count_in_playing_order(table: str) -> None:
    """G-03, G-06: rightmost spot first, its hands one after another, cards go to the asked hand."""
    for it in rounds(table):
        asking = True
        last = (0, 0)
        for event in it.round.events:
            if isinstance(event, Peeked):
                last, asking = (0, 0), False
            elif isinstance(event, Chosen):
                if asking and event.choice not in ASKED_FIRST:
                    last, asking = (0, 0), False
                assert (event.choice in ASKED_FIRST) == asking
                assert (event.spot, event.hand) >= last
                last = (event.spot, event.hand)


ASKED_FIRST = ("insurance", "no_insurance", "even_money", "no_even_money")


@each_table
def test_cards_go_round_as_dealers_deal(table: str) -> None:
    """G-02, and G-06 for the two cards of a split."""
    for it in rounds(table):
        events = it.round.events
        order = [
            event.spot if isinstance(event, CardToSpot) else 0
            for event in events
            if isinstance(event, CardToSpot | CardToDealer | FaceDownToDealer)
        ]
        spots = [spot.spot for spot in it.round.spots]
        if not is_drawing(it.round.game):
            assert order == [1, 1, 1, 0, 0, 0]
            continue
        hole = [0] if it.round.game.rules.hole_card == "peek" else []
        first = [*spots, 0, *spots, *hole]
        assert spots == sorted(spots)
        assert order[: len(first)] == first
        for event, *after in zip(events, events[1:], events[2:], events[3:], strict=False):
            if isinstance(event, Chosen) and event.choice == "split":
                places = [
                    (type(later), later.spot, later.hand)
                    for later in after
                    if isinstance(later, Staked | CardToSpot)
                ]
                spot, right, left = event.spot, event.hand, event.hand + 1
                assert places == [
                    (Staked, spot, left),
                    (CardToSpot, spot, right),
                    (CardToSpot, spot, left),
                ]


@each_table
def test_the_view_shows_what_is_so(table: str) -> None:
    """S-17, C-16: totals and softness counted again, one active spot, nothing left over."""
    game = TABLES[table].naive
    for stage in all_stages(table):
        view = stage.table
        shown = [card for card in view.dealer.cards if card != FACE_DOWN]
        assert (view.dealer.total, view.dealer.soft) == counted(game, shown)
        for spot in view.spots:
            for hand in spot.hands:
                assert (hand.total, hand.soft) == counted(game, list(hand.cards))
        active = [spot.spot for spot in view.spots if spot.active]
        if isinstance(stage.wants, ChoiceFor):
            assert active == [stage.wants.spot]
        if stage.is_over:
            assert active == []
            assert FACE_DOWN not in view.dealer.cards
            assert "live" not in [hand.state for spot in view.spots for hand in spot.hands]


@each_table
def test_each_card_tells_what_its_hand_comes_to(table: str) -> None:
    """S-17, C-16: the totals said while cards are dealt, counted again from the cards that lay."""
    game = TABLES[table].naive
    for it in rounds(table):
        lying: dict[tuple[int, int], list[str]] = {}
        for event in it.round.events:
            match event:
                case Chosen(spot, hand, "split"):
                    for (other, index), cards in sorted(lying.items(), reverse=True):
                        if other == spot and index > hand:
                            lying[other, index + 1] = cards
                    lying[spot, hand + 1] = [lying[spot, hand].pop()]
                case CardToSpot(spot, hand, card, total, soft):
                    lying.setdefault((spot, hand), []).append(str(card))
                    assert (total, soft) == counted(game, lying[spot, hand])
                case CardToDealer(card, total, soft) | Revealed(card, total, soft):
                    lying.setdefault((0, 0), []).append(str(card))
                    assert (total, soft) == counted(game, lying[0, 0])
                case _:
                    pass


def counted(game: naive.Game, cards: list[str]) -> tuple[int, bool]:
    if game.shape == "21" or len(cards) < 3 or game.rules["best_of"] == "three":
        return naive.count(cards)
    parts = [naive.count(list(part)) for size in (2, 3) for part in combinations(cards, size)]
    return max(part for part in parts if part[0] <= 21)


# What the player must not know


Seen = list[tuple[tuple[Event, ...], Table, tuple[Choice, ...]]]


def seen(round_: Round) -> tuple[Seen, Seen]:
    """All that the player saw, card by card: before the peek, and after it until the reveal."""
    before: Seen = []
    after: Seen = []
    for stage in stages(round_):
        if any(isinstance(event, Revealed | Settled) for event in stage.events):
            break
        peeked = any(isinstance(event, Peeked) for event in stage.events)
        (after if peeked else before).append((stage.events, stage.table, stage.choices))
    return before, after


def told(what: Seen) -> str:
    """All events and views as they are sent."""
    return "".join(
        json.dumps([[record(n, event) for n, event in enumerate(events)], table_record(view)])
        for events, view, _ in what
    )


def again(finished: Round, at: int, *cards: Card) -> Round:
    """The same round with other cards from place `at` of the deal on, as far as it goes."""
    dealt = [given for given in finished.given if isinstance(given, Card)]
    dealt[at : at + len(cards)] = cards
    choices = [given for given in finished.given if isinstance(given, str)]
    begun = Round.begin(finished.game, finished.level, finished.spots)
    return play(begun, [*dealt, *CARDS], follow(choices), 10**6)


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    "table", [name for name, it in TABLES.items() if it.naive.rules.get("hole_card") == "peek"]
)
def test_no_hole_card_shows_before_it_is_turned(table: str) -> None:
    """Every card that the hole card may be, given what the peek told, looks the same."""
    for number in range(4):
        it = one_deck_round(table, number).round
        dealt = [given for given in it.given if isinstance(given, Card)]
        up, at = dealt[len(it.spots)], 2 * len(it.spots) + 1
        before, after = seen(it)
        for other in set(CARDS) - set(dealt):
            swapped = seen(again(it, at, other))
            assert swapped[0] == before
            if is_natural(up, other) == is_natural(up, dealt[at]):
                assert swapped[1] == after
        assert str(dealt[at]) not in told(before + after)


def is_natural(up: Card, hole: Card) -> bool:
    return naive.ace_and_ten([str(up), str(hole)])


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("table", [name for name, it in TABLES.items() if it.naive.shape == "3"])
def test_no_hidden_card_of_three_shows_before_it_is_turned(table: str) -> None:
    """C-02: two cards of the dealer stay down until RAISE or FOLD."""
    for number in range(3):
        it = one_deck_round(table, number).round
        dealt = [given for given in it.given if isinstance(given, Card)]
        before, after = seen(it)
        assert len(before) == 7
        assert after == []
        others = list(permutations(set(CARDS) - set(dealt[:4]), 2))
        for pair in Random(number).sample(others, 100):
            assert seen(again(it, 4, *pair)) == (before, after)
        assert not any(str(card) in told(before) for card in dealt[4:])


# Text


@pytest.mark.parametrize(
    "table", [name for name, it in TABLES.items() if it.game.key in {game.key for game in ANALYSED}]
)
def test_a_round_is_text_that_plays_again(table: str) -> None:
    """`.round` names games of the catalogue, with any rules, and cards that the decks hold."""
    for it in rounds(table):
        cards = Counter(given for given in it.round.given if isinstance(given, Card))
        if max(cards.values()) > it.round.game.rules.decks:
            continue
        script = scripts.script_of(it.round, ("A comment.",))
        text = str(script)
        assert scripts.parse(text) == script
        assert str(scripts.parse(text)) == text
        assert [unnumbered(event) for event in scripts.play(scripts.parse(text)).events] == [
            unnumbered(event) for event in it.round.events
        ]


def unnumbered(event: Event) -> Event:
    """An award without the meter's epoch, which a script does not tell."""
    return dataclasses.replace(event, epoch=0) if isinstance(event, Awarded) else event


@each_table
def test_cards_bets_and_pays_parse_back(table: str) -> None:
    for it in rounds(table):
        cards = tuple(given for given in it.round.given if isinstance(given, Card))
        assert parse_cards(print_cards(cards)) == cards
        assert [parse_card(str(card)) for card in cards] == list(cards)
        assert tuple(parse_spot_bets(str(spot)) for spot in it.round.spots) == it.round.spots
    for side in TABLES[table].game.side_bets:
        for row in side.pays.rows:
            assert parse_pay(str(row.pays)) == row.pays


@each_table
def test_rule_fields_parse_back(table: str) -> None:
    rules = TABLES[table].game.rules
    for name, text in fields.texts(rules).items():
        assert fields.replaced(rules, name, text) == rules


@pytest.mark.parametrize("game", ANALYSED, ids=lambda game: game.key)
def test_the_rules_of_a_game_are_those_of_the_clauses(game: Game) -> None:
    """Each field as naive.py has it, typed from the clauses and the contract; none is missing."""
    assert fields.texts(game.rules) == naive.GAMES[game.key].rules
    rows_of = {
        side.key: ", ".join(f"{row.name} {row.pays}" for row in side.pays.rows)
        for side in game.side_bets
    }
    assert rows_of == {key: rows for key, (_, rows) in naive.GAMES[game.key].sides.items()}


@pytest.mark.parametrize("table", ODD_TABLES)
def test_an_odd_rule_set_is_told_alike(table: str) -> None:
    assert fields.texts(TABLES[table].game.rules) == TABLES[table].naive.rules


# Every rule field matters

FIELD_EXAMPLES = [
    (key, name, one, other)
    for key in ("blackjack", "threecard")
    for name, codec in fields.codecs(GAME_TABLES[key].game.rules).items()
    for one, other in combinations(codec.examples, 2)
]


@pytest.mark.parametrize(("key", "name", "one", "other"), FIELD_EXAMPLES)
def test_a_rule_field_changes_the_text_of_the_rules(
    key: str, name: str, one: str, other: str
) -> None:
    game = GAME_TABLES[key].game
    first, second = game.with_rule(name, one), game.with_rule(name, other)
    assert fields.texts(first.rules)[name] == one
    assert first.rules != second.rules
    assert str(first) != str(second)
    assert first.rules_hash != second.rules_hash
    assert first.with_rule(name, other) == second


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    ("key", "name", "one", "other"), [row for row in FIELD_EXAMPLES if row[1] != "decks"]
)
def test_a_rule_field_changes_some_round(key: str, name: str, one: str, other: str) -> None:
    """Same bets, same cards, same player: under some rules around it, the field decides."""
    shape = GAME_TABLES[key].naive.shape
    # In steps of 0.50, insurance at 3:2 would pay broken cents.
    tables = [
        table for table, it in TABLES.items() if it.naive.shape == shape and it.game.key != "top3"
    ]
    for number in range(40):
        for table in tables:
            first, second = (flipped(table, number, name, text) for text in (one, other))
            if (first.asked, first.round.events) != (second.asked, second.round.events):
                return
    pytest.fail(f"{name}={one} and {name}={other} play alike")


def flipped(table: str, number: int, name: str, text: str) -> Played:
    """A random round with one rule field changed, held against the naive settlement too."""
    begun, cards, rng = begin_random(table, number)
    game = begun.game.with_rule(name, text)
    begun = Round.begin(game, begun.level, begun.spots, ask_insurance=begun.ask_insurance)
    it = played(begun, cards, restless(rng), 10**6)
    same = TABLES[table].naive
    assert_settled_alike(it, dataclasses.replace(same, rules=same.rules | {name: text}))
    return it
