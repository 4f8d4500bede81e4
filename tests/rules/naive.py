"""Rounds settled a second time, by hand as it were, from docs/clauses.md alone.

Nothing of upcard is imported here. Cards are text (`Th`), money is whole cents, and a game is what
the contract writes of it: rule fields by name and text, pay tables by row and text. A round is told
in one go, as a croupier would do it: deal, pay the side bets, ask about insurance, peek, play,
compare. `settle` follows a list of choices; `every_round` tries all there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

Bets = dict[int, dict[str, int]]
"""Spot → bet → cents."""
Place = tuple[int, int | None, str]
"""Spot, hand (None: the whole spot), bet."""


@dataclass(frozen=True)
class Game:
    """`sides`: bet → what it looks at and its rows, the highest first (`straight 10:1, ...`).

    `pools`: bet → what its meter starts at, and how many of 100 cents staked enter it.
    """

    shape: str
    rules: dict[str, str]
    sides: dict[str, tuple[str, str]] = field(default_factory=dict)
    pools: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass
class Outcome:
    """A finished round: what came back for each bet, who was asked what, and how far it went."""

    paid: dict[Place, int]
    asked: list[tuple[int, int, tuple[str, ...]]]
    staked: int
    inputs: int
    cards_used: int
    choices: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(self.paid.values())


class Undecided(Exception):
    """The choices given are used up and somebody is asked."""

    def __init__(self, options: tuple[str, ...], inputs: int) -> None:
        super().__init__(options)
        self.options = options
        self.inputs = inputs


# The games of the clauses, and the bare table of the contract

BARE = {
    "decks": "6",
    "dealer_hits_soft_17": "false",
    "hole_card": "peek",
    "natural": "3:2",
    "natural_wins_always": "false",
    "natural_suited": "none",
    "auto_wins": "none",
    "double.cards": "2",
    "double.totals": "any",
    "double.after_split": "true",
    "double.rescue": "false",
    "split.hands_max": "4",
    "split.aces": "stand",
    "split.resplit_aces": "false",
    "surrender": "none",
    "insurance": "2:1",
    "even_money": "false",
    "stands_on_21": "any",
}

GAMES = {
    "blackjack": Game("21", BARE),
    # T-01, T-06, T-60 to T-70, T-80, T-83 to T-85
    "top3": Game(
        "21",
        BARE | {"split.hands_max": "2", "surrender": "first"},
        {
            "top3": ("poker", "suited_three 270:1, straight_flush 180:1, three_of_a_kind 90:1"),
            "classic": (
                "poker",
                "straight_flush 9:1, three_of_a_kind 9:1, straight 9:1, flush 9:1",
            ),
            "progressive": (
                "poker",
                "suited_aces_kings meter, suited_three 125 for 1, straight_flush 25 for 1, "
                "three_of_a_kind 20 for 1, straight 7 for 1, flush 3 for 1",
            ),
        },
        {"progressive": (1_000_000, 17)},
    ),
    # S-01 to S-14
    "super21": Game(
        "21",
        BARE
        | {
            "decks": "8",
            "dealer_hits_soft_17": "true",
            "natural": "1:1",
            "natural_wins_always": "true",
            "natural_suited": "diamonds@2:1",
            "auto_wins": "6@1:1,5/21@2:1",
            "double.cards": "any",
            "double.rescue": "true",
            "split.hands_max": "3",
            "split.aces": "double",
            "split.resplit_aces": "true",
            "surrender": "any",
            "stands_on_21": "hard",
        },
    ),
    #
    "ags": Game(
        "21",
        BARE
        | {
            "split.hands_max": "2",
            "split.aces": "double",
            "surrender": "first",
            "even_money": "true",
        },
        {
            "trifecta": (
                "poker",
                "three_fives 200:1, straight_flush 30:1, three_of_a_kind 20:1, straight 10:1, "
                "flush 5:1",
            ),
            "match_super": (
                "match",
                "two_suited 22:1, suited_unsuited 15:1, suited 11:1, two_unsuited 8:1, "
                "unsuited 4:1",
            ),
            "pairs_pay": ("pair", "suited 15:1, unsuited 10:1"),
            "in_bet": ("between", "triple 30:1, one 10:1, two 6:1, three 4:1, more 1:1"),
        },
    ),
    # C-01 to C-12
    "threecard": Game(
        "3",
        {
            "decks": "1",
            "qualifies_at": "17",
            "best_of": "any",
            "dealer_natural_beats_21": "true",
            "tie": "push",
        },
        {"ace_plus": ("aces", "aaa 100:1, aat 25:1, aax 15:1, att 6:1, atx 3:1, axx 1:1")},
    ),
}


# Counting cards


def points(card: str) -> int:
    """G-01, an ace counted 1."""
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def count(cards: list[str]) -> tuple[int, bool]:
    """The total of a drawn hand, and whether it is soft."""
    low = sum(points(card) for card in cards)
    has_ace = any(card[0] == "A" for card in cards)
    return (low + 10, True) if has_ace and low <= 11 else (low, False)


def ace_and_ten(cards: list[str]) -> bool:
    """Two cards, one an ace and one a ten-value card."""
    return sorted(points(card) for card in cards) == [1, 10]


def won(cents: int, odds: str) -> int:
    """What a winning bet brings back at odds like 3:2, its stake included."""
    gain, stake = odds.split(":")
    assert cents * int(gain) % int(stake) == 0
    return cents + cents * int(gain) // int(stake)


# Side bets: does a row fit these three cards?

LOW_TO_HIGH = "23456789TJQKA"
IN_A_ROW = "A23456789TJQKA"


def is_straight(a: str, b: str, c: str) -> bool:
    """T-86."""
    ranks = {a[0], b[0], c[0]}
    return any(ranks == set(IN_A_ROW[start : start + 3]) for start in range(12))


def is_flush(a: str, b: str, c: str) -> bool:
    return a[1] == b[1] == c[1]


def is_triple(a: str, b: str, c: str) -> bool:
    return a[0] == b[0] == c[0]


def matches(a: str, b: str, up: str) -> tuple[int, int]:
    """Cards of the up card's rank: of its suit, and of another (A-19)."""
    own = [card for card in (a, b) if card[0] == up[0]]
    same = len([card for card in own if card[1] == up[1]])
    return same, len(own) - same


def spread(a: str, b: str, up: str) -> int:
    """Ranks strictly between the player's two if the up card's is one of them, else 0 (A-21)."""
    low, high = sorted(LOW_TO_HIGH.index(card[0]) for card in (a, b))
    return high - low - 1 if low < LOW_TO_HIGH.index(up[0]) < high else 0


def aces_tens(a: str, b: str, c: str) -> tuple[int, int]:
    """How many aces and how many ten-value cards."""
    values = [points(card) for card in (a, b, c)]
    return values.count(1), values.count(10)


FITS: dict[str, dict[str, Callable[[str, str, str], bool]]] = {
    "poker": {
        "suited_aces_kings": lambda a, b, c: a == b == c and a[0] in "AK",
        "suited_three": lambda a, b, c: a == b == c,
        "three_fives": lambda a, b, c: is_triple(a, b, c) and a[0] == "5",
        "straight_flush": lambda a, b, c: is_straight(a, b, c) and is_flush(a, b, c),
        "three_of_a_kind": is_triple,
        "straight": is_straight,
        "flush": is_flush,
    },
    "match": {
        "two_suited": lambda a, b, up: matches(a, b, up) == (2, 0),
        "suited_unsuited": lambda a, b, up: matches(a, b, up) == (1, 1),
        "suited": lambda a, b, up: matches(a, b, up) == (1, 0),
        "two_unsuited": lambda a, b, up: matches(a, b, up) == (0, 2),
        "unsuited": lambda a, b, up: matches(a, b, up) == (0, 1),
    },
    "pair": {
        "suited": lambda a, b, up: a == b,
        "unsuited": lambda a, b, up: a[0] == b[0] and a[1] != b[1],
    },
    "between": {
        "triple": is_triple,
        "one": lambda a, b, up: spread(a, b, up) == 1,
        "two": lambda a, b, up: spread(a, b, up) == 2,
        "three": lambda a, b, up: spread(a, b, up) == 3,
        "more": lambda a, b, up: spread(a, b, up) > 3,
    },
    "aces": {
        "aaa": lambda a, b, c: aces_tens(a, b, c) == (3, 0),
        "aat": lambda a, b, c: aces_tens(a, b, c) == (2, 1),
        "aax": lambda a, b, c: aces_tens(a, b, c) == (2, 0),
        "att": lambda a, b, c: aces_tens(a, b, c) == (1, 2),
        "atx": lambda a, b, c: aces_tens(a, b, c) == (1, 1),
        "axx": lambda a, b, c: aces_tens(a, b, c) == (1, 0),
    },
}


def best_row(looks_at: str, rows: str, cards: list[str]) -> tuple[str, str] | None:
    """Name and pay of the first row that fits, out of `name pay, name pay, ...` (A-17)."""
    for row in rows.split(", "):
        name, pay = row.split(" ", 1)
        if FITS[looks_at][name](cards[0], cards[1], cards[2]):
            return name, pay
    return None


# One round


class Croupier:
    """What both shapes share: the shoe, the questions, the till and the meters."""

    def __init__(
        self, game: Game, bets: Bets, cards: list[str], choices: list[str], meter: int, asks: bool
    ) -> None:
        self.game, self.rules, self.bets = game, game.rules, bets
        self.asks = asks
        self.shoe, self.choices = cards, choices
        self.drawn = self.inputs = self.answered = 0
        self.asked: list[tuple[int, int, tuple[str, ...]]] = []
        self.paid: dict[Place, int] = {}
        self.staked = sum(sum(spot.values()) for spot in bets.values())
        # T-85: every stake's share enters the meter at DEAL, before any hit is judged.
        self.meter = meter
        for key, (_, per_cent) in game.pools.items():
            for spot in bets.values():
                self.meter += spot.get(key, 0) * per_cent // 100

    def card(self) -> str:
        self.inputs += 1
        self.drawn += 1
        return self.shoe[self.drawn - 1]

    def ask(self, spot: int, hand: int, options: list[str]) -> str:
        asked = tuple(sorted(options))
        if self.answered == len(self.choices):
            raise Undecided(asked, self.inputs)
        choice = self.choices[self.answered]
        assert choice in asked, f"{choice} at {spot}.{hand}, where {asked} are open"
        self.asked.append((spot, hand, asked))
        self.answered += 1
        self.inputs += 1
        return choice

    def pay(self, spot: int, hand: int | None, bet: str, cents: int) -> None:
        assert (spot, hand, bet) not in self.paid, f"{bet} of {spot} settled twice"
        self.paid[spot, hand, bet] = cents

    def pay_side_bets(self, spot: int, cards: list[str]) -> None:
        for key, (looks_at, rows) in self.game.sides.items():
            stake = self.bets[spot].get(key)
            if stake:
                row = best_row(looks_at, rows, cards)
                self.pay(spot, None, key, self.side_bet_paid(key, stake, row[1]) if row else 0)

    def side_bet_paid(self, key: str, stake: int, pay: str) -> int:
        if ":" in pay:
            return won(stake, pay)
        if "for" in pay:
            return stake * int(pay.split()[0])
        self.inputs += 1
        _, _, part = pay.partition("/")
        taken = self.meter // int(part or 1)
        self.meter = self.meter - taken if part else self.game.pools[key][0]
        return taken

    def outcome(self) -> Outcome:
        assert self.answered == len(self.choices), "choices are left over"
        return Outcome(
            self.paid, self.asked, self.staked, self.inputs, self.drawn, tuple(self.choices)
        )


@dataclass
class Held:
    """A hand of a spot while it is played; `born`: dealt, split or ace (a split ace)."""

    cards: list[str]
    bet: int
    born: str = "dealt"
    doubled: bool = False
    closed: bool = False


class Drawing21(Croupier):
    """G-02 to G-06 and what the rule fields say."""

    def play(self) -> Outcome:
        spots = sorted(self.bets)
        self.first = {spot: [self.card()] for spot in spots}
        self.up = self.card()
        for spot in spots:
            self.first[spot].append(self.card())
        self.hole = self.card() if self.rules["hole_card"] == "peek" else ""
        for spot in spots:
            self.pay_side_bets(spot, [*self.first[spot], self.up])
        self.mains = [spot for spot in spots if "main" in self.bets[spot]]
        self.naturals = [spot for spot in self.mains if ace_and_ten(self.first[spot])]
        self.insured: dict[int, int] = {}
        self.unpaid_naturals = list(self.naturals)
        if self.mains:
            if self.up[0] == "A" and self.asks:
                for spot in self.mains:
                    self.ask_insurance(spot)
            self.play_main()
        return self.outcome()

    def ask_insurance(self, spot: int) -> None:
        bet = self.bets[spot]["main"]
        if spot in self.naturals and self.rules["even_money"] == "true":
            if self.ask(spot, 0, ["even_money", "no_even_money"]) == "even_money":
                self.pay(spot, 0, "main", 2 * bet)
                self.unpaid_naturals.remove(spot)
        elif self.ask(spot, 0, ["insurance", "no_insurance"]) == "insurance":
            self.insured[spot] = bet // 2
            self.staked += bet // 2

    def play_main(self) -> None:
        suspicious = self.up[0] in "ATJQK"
        if suspicious and self.hole and ace_and_ten([self.up, self.hole]):
            self.dealer_is_known(natural=True)
            for spot in self.mains:
                if spot not in self.naturals:
                    self.pay(spot, 0, "main", 0)
            return
        if self.hole or not suspicious:
            self.dealer_is_known(natural=False)
        elif self.rules["natural_wins_always"] == "true":
            self.pay_naturals(natural=False)
        standing = []
        for spot in self.mains:
            if spot not in self.naturals:
                standing += self.play_spot(spot)
        self.play_dealer(standing)

    def dealer_is_known(self, *, natural: bool) -> None:
        """Insurance and naturals, once it is known whether the dealer has a natural."""
        for spot, stake in self.insured.items():
            paid = won(stake, self.rules["insurance"]) if natural else 0
            self.pay(spot, None, "insurance", paid)
        self.insured = {}
        self.pay_naturals(natural=natural)

    def pay_naturals(self, *, natural: bool) -> None:
        for spot in self.unpaid_naturals:
            bet = self.bets[spot]["main"]
            pushes = natural and self.rules["natural_wins_always"] == "false"
            self.pay(spot, 0, "main", bet if pushes else won(bet, self.natural_odds(spot)))
        self.unpaid_naturals = []

    def natural_odds(self, spot: int) -> str:
        suit, _, odds = self.rules["natural_suited"].partition("@")
        both = {card[1] for card in self.first[spot]}
        return odds if both == {suit[0]} and odds else self.rules["natural"]

    # A spot's hands

    def play_spot(self, spot: int) -> list[tuple[int, int, Held]]:
        hands = [Held(self.first[spot], self.bets[spot]["main"])]
        number = 0
        while number < len(hands):
            hand = hands[number]
            options = [] if hand.closed else self.options(hand, len(hands))
            if options in ([], ["stand"]):
                number += 1
                continue
            choice = self.ask(spot, number, options)
            if choice == "stand":
                number += 1
            elif choice == "split":
                self.split(hands, number)
            elif choice in ("surrender", "rescue"):
                self.close(spot, number, hand, hand.bet // 2)
            else:
                self.draw(spot, number, hand, double=choice == "double")
        return [(spot, number, hand) for number, hand in enumerate(hands) if not hand.closed]

    def options(self, hand: Held, hands: int) -> list[str]:
        total, soft = count(hand.cards)
        if hand.doubled:
            rescue = self.rules["double.rescue"] == "true" and total != 21
            return ["stand", "rescue"] if rescue else ["stand"]
        if total == 21 and (self.rules["stands_on_21"] == "any" or not soft):
            return ["stand"]
        may = ["stand"]
        frozen = hand.born == "ace" and self.rules["split.aces"] == "stand"
        if not frozen:
            may.append("hit")
            if self.surrender_is_open(hand):
                may.append("surrender")
        if self.double_is_open(hand, total, soft):
            may.append("double")
        if self.split_is_open(hand, hands):
            may.append("split")
        return may

    def surrender_is_open(self, hand: Held) -> bool:
        if self.rules["surrender"] == "first":
            return hand.born == "dealt" and len(hand.cards) == 2
        return self.rules["surrender"] == "any"

    def double_is_open(self, hand: Held, total: int, soft: bool) -> bool:
        if self.rules["double.cards"] == "2" and len(hand.cards) > 2:
            return False
        if hand.born != "dealt" and self.rules["double.after_split"] == "false":
            return False
        if hand.born == "ace" and self.rules["split.aces"] != "double":
            return False
        totals = self.rules["double.totals"]
        return totals == "any" or (str(total) in totals.split(",") and not soft)

    def split_is_open(self, hand: Held, hands: int) -> bool:
        if len(hand.cards) > 2 or hands >= int(self.rules["split.hands_max"]):
            return False
        if hand.born == "ace" and self.rules["split.resplit_aces"] == "false":
            return False
        return points(hand.cards[0]) == points(hand.cards[1])

    def split(self, hands: list[Held], number: int) -> None:
        """G-06: the right hand is played first and gets its card first."""
        old = hands[number]
        born = "ace" if old.cards[0][0] == "A" else "split"
        right, left = (Held([card], old.bet, born) for card in old.cards)
        self.staked += old.bet
        right.cards.append(self.card())
        left.cards.append(self.card())
        hands[number : number + 1] = [right, left]

    def draw(self, spot: int, number: int, hand: Held, *, double: bool) -> None:
        if double:
            self.staked += hand.bet
            hand.bet *= 2
            hand.doubled = True
        hand.cards.append(self.card())
        total, _ = count(hand.cards)
        odds = "" if hand.doubled else self.wins_at_once(len(hand.cards), total)
        if total > 21:
            self.close(spot, number, hand, 0)
        elif odds:
            self.close(spot, number, hand, won(hand.bet, odds))

    def wins_at_once(self, cards: int, total: int) -> str:
        """The best odds among the automatic wins that fit, or nothing (S-09, S-10)."""
        best, most = "", -1
        for win in self.rules["auto_wins"].split(","):
            needs, _, odds = win.partition("@")
            number, _, exactly = needs.partition("/")
            if odds and cards >= int(number) and exactly in ("", str(total)):
                # 5040 divides by every stake of odds that a test writes.
                gain = won(5040, odds)
                best, most = (odds, gain) if gain > most else (best, most)
        return best

    def close(self, spot: int, number: int, hand: Held, cents: int) -> None:
        hand.closed = True
        self.pay(spot, number, "main", cents)

    # The dealer

    def play_dealer(self, standing: list[tuple[int, int, Held]]) -> None:
        cards = [self.up, self.hole]
        if not self.hole:
            if not (standing or self.insured or self.unpaid_naturals):
                return
            cards = [self.up, self.card()]
            natural = ace_and_ten(cards)
            self.dealer_is_known(natural=natural)
            if natural:
                for spot, number, _ in standing:
                    self.pay(spot, number, "main", 0)
                return
        if standing:
            self.draw_to_17(cards)
        dealer, _ = count(cards)
        for spot, number, hand in standing:
            mine, _ = count(hand.cards)
            if dealer > 21 or mine > dealer:
                self.pay(spot, number, "main", 2 * hand.bet)
            else:
                self.pay(spot, number, "main", hand.bet if mine == dealer else 0)

    def draw_to_17(self, cards: list[str]) -> None:
        hits_soft_17 = self.rules["dealer_hits_soft_17"] == "true"
        while count(cards)[0] < 17 or (count(cards) == (17, True) and hits_soft_17):
            cards.append(self.card())


class ThreeCards(Croupier):
    """Clauses C."""

    def play(self) -> Outcome:
        ((spot, bets),) = self.bets.items()
        player = [self.card() for _ in range(3)]
        dealer = [self.card() for _ in range(3)]
        ante = bets["ante"]
        if self.ask(spot, 0, ["raise", "fold"]) == "fold":
            self.pay(spot, 0, "ante", 0)
        else:
            self.staked += ante
            for bet, result in zip(("ante", "raise"), self.results(player, dealer), strict=True):
                self.pay(spot, 0, bet, {"win": 2 * ante, "push": ante, "lose": 0}[result])
        self.pay_side_bets(spot, player)
        return self.outcome()

    def results(self, player: list[str], dealer: list[str]) -> tuple[str, str]:
        """What becomes of ante and raise (C-08 to C-11)."""
        mine, theirs = self.best(player), self.best(dealer)
        if theirs < int(self.rules["qualifies_at"]):
            return ("win" if self.blackjack(player) else "push"), "push"
        if self.blackjack(player) or mine > theirs:
            return "win", "win"
        if mine < theirs:
            return "lose", "lose"
        dealer_first = self.rules["dealer_natural_beats_21"] == "true" and mine == 21
        result = "lose" if dealer_first and self.blackjack(dealer) else self.rules["tie"]
        return result, result

    def best(self, cards: list[str]) -> int:
        """C-03: every choice of cards with every ace 1 or 11; 0 if all of them are over 21."""
        counts = [[1, 11] if card[0] == "A" else [points(card)] for card in cards]
        sizes = [2, 3] if self.rules["best_of"] == "any" else [3]
        sums = (
            sum(values)
            for size in sizes
            for c in combinations(counts, size)
            for values in product(*c)
        )
        return max([total for total in sums if total <= 21], default=0)

    def blackjack(self, cards: list[str]) -> bool:
        return {1, 10} <= {points(card) for card in cards}


def settle(
    game: Game,
    bets: Bets,
    cards: list[str],
    choices: list[str],
    *,
    meter: int = 0,
    asks: bool = True,
) -> Outcome:
    """Play a round to its end. `meter`: how it stood before the bets; raises Undecided."""
    shape = Drawing21 if game.shape == "21" else ThreeCards
    return shape(game, bets, cards, choices, meter, asks).play()


def every_round(game: Game, bets: Bets, cards: list[str]) -> Iterator[Outcome]:
    """The finished rounds of all sequences of choices, from one shoe."""
    unfinished: list[list[str]] = [[]]
    while unfinished:
        choices = unfinished.pop()
        try:
            yield settle(game, bets, cards, choices)
        except Undecided as question:
            unfinished += [[*choices, option] for option in question.options]


def states(game: Game, bets: Bets, cards: list[str]) -> int:
    """The states of all sequences of choices: the first, and one after each card and choice."""

    def below(choices: list[str], passed: int) -> int:
        try:
            return settle(game, bets, cards, choices).inputs - passed
        except Undecided as question:
            here = question.inputs - passed
            return here + sum(
                below([*choices, option], question.inputs) for option in question.options
            )

    return 1 + below([], 0)
