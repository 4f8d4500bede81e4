"""What is sent and received over HTTP (amounts in cents), for checking requests and for OpenAPI.

Requests are strict: no member too many, no text or fraction where a whole number belongs. Answers
are typed dicts; the house makes them, these types describe them and a test holds both together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Discriminator, Field, WithJsonSchema, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

# Python 3.11's own is refused by pydantic.
from typing_extensions import TypedDict

from upcard.fair import PROTOCOL
from upcard.house import limits
from upcard.house.care import Wanted
from upcard.house.journal import Status, TableChoice
from upcard.house.limits import COOL_OFF_DAYS, PERIODS, SELF_EXCLUSION_DAYS
from upcard.house.passwords import CHARACTERS_MAX
from upcard.house.rounds import OWN_TABLE, BetRequest
from upcard.refused import Refused, listed
from upcard.server import practice
from upcard.server.problems import STATUSES
from upcard.server.review import Kind
from upcard.table import ChoiceName, HandState, SpotBets

WORD_CHARACTERS_MAX = 64
CENTS_MAX = 10**15
SPOTS_MAX = 100
DECKS_MAX = 100
SEQ_MAX = 10**9
SITUATION_CARDS_MAX = 30


# Requests


class Strict(BaseModel):
    """A JSON object whose members are known, present, and of the right type."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _known_and_present(cls, members: Any) -> Any:
        if isinstance(members, dict):
            known, needed = _members(cls)
            for name in members.keys() - known.keys():
                raise _field(
                    f"{str(name)[:WORD_CHARACTERS_MAX]!r} is not known",
                    f"the members are {listed([*known], 'and') or 'none'}",
                )
            for name in needed:
                if name not in members:
                    raise _field(f"{name} is missing", f"needed are {listed(needed, 'and')}")
        return members


@cache
def _members(model: type[BaseModel]) -> tuple[Mapping[str, FieldInfo], list[str]]:
    """The members that a model knows, and the names of those it needs."""
    known = model.model_fields
    return known, [name for name, field in known.items() if field.is_required()]


def _field(wrong: str, allowed: str) -> PydanticCustomError:
    # The words go in as values, because a brace in a template has a meaning.
    return PydanticCustomError("member", "{wrong}; {allowed}", {"wrong": wrong, "allowed": allowed})


Word = Annotated[str, Field(max_length=WORD_CHARACTERS_MAX)]


def _one_to(most: int) -> Any:
    """From 1. What is a little less is refused in the game's own words, what is no amount here."""
    return Field(ge=-most, le=most, json_schema_extra={"minimum": 1})


Cents = Annotated[int, _one_to(CENTS_MAX)]


OwnCents = Annotated[int, Field(ge=0, le=CENTS_MAX)] | None


Password = Annotated[str, Field(max_length=2 * CHARACTERS_MAX)]


class Nothing(Strict):
    """An empty object."""


class PeriodLimits(Strict):
    """Cents for each period that is to change; null takes a limit away."""

    day: OwnCents = None
    week: OwnCents = None
    month: OwnCents = None

    def names(self, period: str) -> bool:
        """Whether the period was named at all."""
        return period in self.model_fields_set


class OwnLimits(Strict):
    """Limits on what may be lost and on what may be staked; what is left out stays."""

    loss: PeriodLimits | None = None
    stake: PeriodLimits | None = None

    def wanted(self) -> Wanted:
        chosen: dict[limits.Kind, PeriodLimits | None] = {"loss": self.loss, "stake": self.stake}
        return {
            kind: {period: getattr(limits, period) for period in PERIODS if limits.names(period)}
            for kind, limits in chosen.items()
            if limits
        }


class Exclude(Strict):
    """One of the lengths offered, in days: cool-offs up to 30, self-exclusions from 182."""

    days: Annotated[
        int,
        WithJsonSchema({"type": "integer", "enum": [*COOL_OFF_DAYS, *SELF_EXCLUSION_DAYS]}),
    ]


class NameAndPassword(Strict):
    """A name of 3 to 32 letters, digits, `.`, `-` and `_`; a password of 10 to 128 characters."""

    name: Word
    password: Password


class NewPassword(Strict):
    """The password as it is, and as it is to be."""

    password: Password
    new_password: Password


class BetSpot(Strict):
    """The bets of one spot; the rightmost spot is number 1."""

    spot: Annotated[int, _one_to(SPOTS_MAX)]
    bets: Annotated[
        dict[Word, Cents],
        Field(description="Bet key to cents. The keys and limits are in the game's document."),
    ]


class BetTable(Strict):
    """How the table is set; what is left out is the game's own."""

    decks: Annotated[int, _one_to(DECKS_MAX)] | None = None
    side_bets: Annotated[
        list[Word] | None, Field(description="The side bets that are open, where one may choose.")
    ] = None

    def choice(self) -> TableChoice:
        sides = self.side_bets
        if sides is not None and len(set(sides)) < len(sides):
            raise Refused("field", "table.side_bets names a side bet twice; name each once.")
        return TableChoice(decks=self.decks, side_bets=None if sides is None else tuple(sides))


class Bet(Strict):
    """A bet on one or more spots; the answer deals on to the first decision."""

    game: Word
    level: Word
    spots: Annotated[list[BetSpot], Field(max_length=SPOTS_MAX)]
    client_seed: Annotated[
        str, WithJsonSchema({"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"})
    ]
    table: BetTable | None = None
    ask_insurance: Annotated[
        bool, Field(description="False declines insurance without asking, where a game lets one.")
    ] = True

    def request(self) -> BetRequest:
        return BetRequest(
            game=self.game,
            level=self.level,
            spots=tuple(SpotBets(spot.spot, tuple(spot.bets.items())) for spot in self.spots),
            client_seed=self.client_seed,
            table=self.table.choice() if self.table else OWN_TABLE,
            ask_insurance=self.ask_insurance,
            document=self.model_dump(),
        )


class Move(Strict):
    """A choice for the hand that is to act; `seq` is the one last seen."""

    seq: Annotated[int, Field(ge=0, le=SEQ_MAX)]
    choice: ChoiceName


class Situation(Strict):
    """One hand against an up card: its cards in the order they came. `doubled`: the last came by a
    double; `asked`: insurance or even money is the question, not the play."""

    cards: Annotated[list[Word], Field(min_length=1, max_length=SITUATION_CARDS_MAX)]
    up: Word
    doubled: bool
    asked: bool

    def situation(self) -> practice.Situation:
        return practice.Situation(
            cards=tuple(self.cards), up=self.up, doubled=self.doubled, asked=self.asked
        )


class PracticeDeal(Strict):
    """A hand to practise on: this situation, or one of a kind, drawn at random."""

    game: Word
    decks: Annotated[int, Field(le=100, json_schema_extra={"minimum": 1})] | None = None
    kind: practice.Wanted = "any"
    situation: Situation | None = None


class PracticeChoice(Strict):
    """What one would choose in a situation."""

    game: Word
    decks: Annotated[int, Field(le=100, json_schema_extra={"minimum": 1})] | None = None
    situation: Situation
    choice: ChoiceName


KEY_HEADER = "Idempotency-Key"
KEY_PATTERN = r"^[\x21-\x7e]{1,200}$"


def checked_key(keys: list[str]) -> str:
    """The one idempotency key among header values. Raises Refused (`key_missing`, `field`)."""
    if not any(keys):
        raise Refused(
            "key_missing",
            f"{KEY_HEADER} is missing; send a new one with each new bet, as a header.",
        )
    if len(keys) > 1 or not re.fullmatch(KEY_PATTERN, keys[0]):
        raise Refused(
            "field", f"{KEY_HEADER} must be one text of 1 to 200 visible ASCII characters."
        )
    return keys[0]


# Answers

Card = Annotated[str, Field(pattern="^[A2-9TJQK][cdhs]$")]
CardOrFaceDown = Annotated[str, Field(pattern=r"^([A2-9TJQK][cdhs]|\?\?)$")]
Hex32 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Hex64 = Annotated[str, Field(pattern="^[0-9a-f]{128}$")]
Amount = Annotated[int, Field(ge=0)]
Ordinal = Annotated[int, Field(ge=0)]
Counting = Annotated[int, Field(ge=1)]


class Exact(TypedDict):
    """An object with these members and no others."""

    # How pydantic configures a typed dict and those made from it.
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]


class BetEvent(Exact):
    n: Ordinal
    type: Literal["bet"]
    spot: Counting
    bet: str
    cents: Amount


class CardEvent(Exact):
    """A card, and what the cards of that hand that show come to with it.

    `spot` and `hand` are left out for the dealer. Face down `card` is null and has no total.
    """

    n: Ordinal
    type: Literal["card"]
    to: Literal["spot", "dealer"]
    spot: NotRequired[Counting]
    hand: NotRequired[Ordinal]
    card: Card | None
    total: NotRequired[Counting]
    soft: NotRequired[bool]


class OfferEvent(Exact):
    n: Ordinal
    type: Literal["offer"]
    spot: Counting
    choice: ChoiceName


class ChoiceEvent(Exact):
    n: Ordinal
    type: Literal["choice"]
    spot: Counting
    hand: Ordinal
    choice: ChoiceName


class StakeEvent(Exact):
    n: Ordinal
    type: Literal["stake"]
    spot: Counting
    hand: Ordinal
    bet: str
    cents: Amount


class PeekEvent(Exact):
    n: Ordinal
    type: Literal["peek"]
    natural: bool


class RevealEvent(Exact):
    n: Ordinal
    type: Literal["reveal"]
    card: Card
    total: Counting
    soft: bool


class PayEvent(Exact):
    """`paid` is all that comes back, the stake included; `hand` is left out for a spot's bets."""

    n: Ordinal
    type: Literal["pay"]
    spot: Counting
    hand: NotRequired[Ordinal]
    bet: str
    row: str
    stake: Amount
    paid: Amount


class AwardEvent(Exact):
    """A progressive win: the meter it met. The `pay` that follows carries the same money."""

    n: Ordinal
    type: Literal["award"]
    spot: Counting
    bet: str
    epoch: Ordinal
    meter: Amount
    paid: Amount


class SettledEvent(Exact):
    n: Ordinal
    type: Literal["settled"]
    staked: Amount
    paid: Amount


Event = Annotated[
    BetEvent
    | CardEvent
    | OfferEvent
    | ChoiceEvent
    | StakeEvent
    | PeekEvent
    | RevealEvent
    | PayEvent
    | AwardEvent
    | SettledEvent,
    Discriminator("type"),
]


class Dealer(Exact):
    """Face-down cards are `??`; total and soft are those of the cards that show."""

    cards: list[CardOrFaceDown]
    total: Amount
    soft: bool


class Hand(Exact):
    cards: list[CardOrFaceDown]
    total: Amount
    soft: bool
    stake: Amount
    state: HandState


class Spot(Exact):
    spot: Counting
    bets: dict[str, Amount]
    hands: list[Hand]
    active: bool


class Table(Exact):
    dealer: Dealer
    spots: list[Spot]


class Choice(Exact):
    """`enabled` is false only for want of money, and `why` then says so."""

    choice: ChoiceName
    spot: Counting
    hand: Ordinal
    cost: Amount
    enabled: bool
    why: str | None
    warning: str | None


class NextBet(Exact):
    commit: Hex32
    nonce: Counting


class BetsOfSpot(Exact):
    spot: Counting
    bets: dict[str, Amount]


KeyId = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
Signature = Annotated[str, Field(pattern="^[0-9a-f]{128}$")]


class Receipt(Exact):
    """What the house signs when it takes a bet.

    Signed is this object as JSON without `signature`, without spaces, its members in order. `at` in
    seconds since 1970, UTC; `request` is the idempotency key and `request_hash` the SHA-256 of the
    bet; `next` the commit and nonce of the bet after it.
    """

    protocol: Literal["upcard-receipt/1"]
    round: str
    player: str
    at: Ordinal
    game: str
    level: str
    decks: Counting
    side_bets: list[str]
    rules_hash: Hex32
    spots: list[BetsOfSpot]
    ask_insurance: bool
    client_seed: str
    nonce: Counting
    commit: Hex32
    request: str
    request_hash: Hex32
    next: NextBet
    key: KeyId
    signature: Signature


class Voided(Exact):
    """Who voided a round and why; `at` in seconds since 1970, UTC."""

    operator: str
    reason: str
    at: Ordinal


class Answer(Exact):
    """A round: `events` are the new ones of a bet or move, all of them for a look.

    `decks` and `side_bets` say how its table was set. The answer of a bet has its `receipt`, a
    look at a round that is void says in `void` by whom and why.
    """

    round: str
    game: str
    level: str
    decks: Counting
    side_bets: list[str]
    status: Status
    seq: Ordinal
    events: list[Event]
    table: Table
    choices: list[Choice]
    balance: Amount
    commit: Hex32
    nonce: Counting
    next: NextBet | None
    server_seed: Hex64 | None
    receipt: NotRequired[Receipt]
    void: NotRequired[Voided]


class PastRound(Answer):
    """A round of the history, and when its bet was taken, in seconds since 1970."""

    opened_at: Ordinal


class SessionGame(Exact):
    """Commit and nonce of the next bet, and the id of the open round."""

    commit: Hex32
    nonce: Counting
    open: str | None


class Session(Exact):
    """`account` is the player's name, null for a guest."""

    player: str
    account: str | None
    balance: Amount
    games: dict[str, SessionGame]


class House(Exact):
    """What a house has set for all its tables.

    `round_seconds_min`: so much time must pass between two deals of a player. Without `fast_play`
    a table offers neither to deal at once nor to show all results at once.
    """

    round_seconds_min: Ordinal
    fast_play: bool


class Sitting(Exact):
    """Play without a pause of half an hour: since when, for how long, and what it came to."""

    began: Ordinal
    seconds: Ordinal
    rounds: Ordinal
    staked: Amount
    paid: Amount


class ComingLimit(Exact):
    """What a limit will be; times in seconds since 1970."""

    cents: Amount | None
    acts_at: Ordinal


class StandingLimit(Exact):
    """`used` is what was staked or lost in the running period, a loss below 0 after a win."""

    cents: Amount | None
    used: int
    renews: Ordinal
    next: ComingLimit | None


class StandingPeriods(Exact):
    day: StandingLimit
    week: StandingLimit
    month: StandingLimit


class StandingLimits(Exact):
    loss: StandingPeriods
    stake: StandingPeriods


class Exclusion(Exact):
    kind: Literal["cool_off", "self_exclusion"]
    days: Counting
    began: Ordinal
    ends: Ordinal


class Standing(Exact):
    """What a player's own play stands at; no sitting while nothing is played."""

    now: Ordinal
    sitting: Sitting | None
    limits: StandingLimits
    exclusion: Exclusion | None


class AskedLimit(Exact):
    kind: Literal["loss", "stake"]
    period: Literal["day", "week", "month"]
    cents: Amount | None
    asked_at: Ordinal
    acts_at: Ordinal


class SittingDay(Exact):
    """What lies of a sitting on one day, in days since 1970."""

    day: Ordinal
    began: Ordinal
    last: Ordinal
    dealt_ms: Ordinal
    rounds: Ordinal
    staked: Amount
    paid: Amount


class MovedMoney(Exact):
    """A transfer from or to the player's account; `seq` and `n` count within its round."""

    seq: Ordinal
    n: Ordinal
    debit: str
    credit: str
    cents: Counting
    code: str


class ExportChoice(Exact):
    at: Ordinal
    spot: Counting
    hand: Ordinal
    choice: ChoiceName


class ExportRound(PastRound):
    """A round as it was told, with its bets, choices, times and what it moved."""

    touched_at: Ordinal
    client_seed: str
    bets: list[BetsOfSpot]
    chosen: list[ExportChoice]
    transfers: list[MovedMoney]


class Export(Exact):
    """All that a house keeps of a player, the newest round first."""

    player: str
    made_at: Ordinal
    balance: Amount
    limits: list[AskedLimit]
    exclusions: list[Exclusion]
    sittings: list[SittingDay]
    play_money: list[MovedMoney]
    rounds: list[ExportRound]


class Left(Exact):
    """Nothing more to say."""


class OpenRounds(Exact):
    rounds: list[Answer]


class History(Exact):
    """`next` is the `before` of the next page, null on the last."""

    rounds: list[PastRound]
    next: int | None


class ProofChoice(Exact):
    seq: Counting
    spot: Counting
    hand: Ordinal
    choice: ChoiceName


class ProofAward(Exact):
    n: Ordinal
    meter: Amount


class Payment(Exact):
    spot: Counting
    hand: Ordinal | None
    bet: str
    stake: Amount
    paid: Amount


class Proof(Exact):
    """All that a stranger needs to check a settled round; `cards` in the order of the deal."""

    protocol: Annotated[str, Field(examples=[PROTOCOL])]
    round: str
    game: str
    level: str
    decks: Counting
    side_bets: list[str]
    rules: dict[str, str]
    rules_hash: Hex32
    engine: str
    spots: list[BetsOfSpot]
    ask_insurance: bool
    table: Table
    client_seed: str
    nonce: Counting
    commit: Hex32
    server_seed: Hex64
    choices: list[ProofChoice]
    cards: list[Card]
    awards: list[ProofAward]
    payments: list[Payment]
    staked: Amount
    paid: Amount


class GameName(Exact):
    key: str
    title: str


class Games(Exact):
    games: list[GameName]


class Limits(Exact):
    """Whole steps from `min` to `max`."""

    min: Amount
    max: Amount
    step: Amount


class GameLevel(Exact):
    key: str
    title: str
    bets: dict[str, Limits]


class PayRow(Exact):
    """`pays` as text: `9:1`, `125 for 1`, `meter`."""

    name: str
    title: str
    pays: str


class GameSideBet(Exact):
    """`short` fits in a circle on the table; `pool` is the key of the meter it feeds."""

    key: str
    title: str
    short: str
    needs: str | None
    pool: str | None
    rows: list[PayRow]


class NamedBet(Exact):
    key: str
    title: str


class RuleField(Exact):
    field: str
    value: str
    sentence: str
    clause: str | None


class GameDocument(Exact):
    """Everything that is fixed about a game; `odds` by number of decks, where computed.

    `felt` is what the table has printed on it, the largest line first; `choices` is all that a
    round may ever offer, `later_bets` what may be staked after the deal, `reserved` those of them
    that the balance must cover at DEAL, each as large as the main bet. `side_bet_alone`: a spot
    may carry side bets without a main bet. `insurance_setting`: the player may choose not to be
    asked.
    `quick_replay`: DEAL repeats the bets of the last round.
    """

    key: str
    title: str
    main: NamedBet
    felt: list[str]
    choices: list[ChoiceName]
    later_bets: list[NamedBet]
    reserved: list[str]
    decks_offered: list[Counting]
    spots_max: Counting
    side_bets_open: Ordinal
    side_bet_alone: bool
    insurance_setting: bool
    quick_replay: bool
    levels: list[GameLevel]
    side_bets: list[GameSideBet]
    rules: list[RuleField]
    odds: dict[str, dict[str, Any]]


class RulesSentence(Exact):
    """`clause` is the clause of the rule sheets that a reader is to see."""

    sentence: str
    clause: str | None


class RulesListing(Exact):
    """A small table; the first cell of a row is its title. `figures`: columns set to the right."""

    caption: str
    head: list[str]
    figures: list[bool]
    rows: list[list[str]]


class RulesSection(Exact):
    key: str
    title: str
    sentences: list[RulesSentence]
    listings: list[RulesListing]
    parts: list[RulesSection]


class RulesPage(Exact):
    """The rules page of a game; `changed` is the day of its last change."""

    key: str
    title: str
    opening: str
    changed: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    sections: list[RulesSection]


class Jackpot(Exact):
    """A meter in cents; `epoch` counts its wins, `share` is what it takes of each stake."""

    key: str
    amount: Amount
    epoch: Ordinal
    seed: Amount
    share: float


class Jackpots(Exact):
    jackpots: list[Jackpot]


class Key(Exact):
    """A public key, 32 bytes as hex; `since` in seconds since 1970, UTC."""

    id: KeyId
    algorithm: Literal["Ed25519"]
    public_key: Hex32
    since: Ordinal


class Keys(Exact):
    """Public signing keys, the oldest first."""

    keys: list[Key]


class Coach(Exact):
    """Choice to its value in initial bets; empty, and no best, while not `ready`."""

    ready: bool
    values: dict[ChoiceName, float]
    best: ChoiceName | None


class Judged(Exact):
    """A choice beside the best one: values and `given_away` in initial bets; empty, and no best,
    while not `ready`."""

    ready: bool
    values: dict[ChoiceName, float]
    best: ChoiceName | None
    given_away: Annotated[float, Field(ge=0)]


class ReviewedDecision(Exact):
    """A choice that was made: `cards` and `total` of its hand, the dealer's `up` card, the initial
    bet `stake` of its spot. `situation` repeats it for practice, null once a pair was split."""

    seq: Counting
    spot: Counting
    hand: Ordinal
    kind: Kind
    cards: list[Card]
    total: Counting
    soft: bool
    up: Card
    stake: Amount
    choice: ChoiceName
    values: dict[ChoiceName, float]
    best: ChoiceName
    given_away: Annotated[float, Field(ge=0)]
    situation: Situation | None


class Review(Exact):
    """Every choice of a round so far; empty while not `ready`."""

    ready: bool
    decisions: list[ReviewedDecision]


class PracticeHand(Exact):
    """A hand dealt to practise on, for no money: amounts in it are the table's least bet."""

    game: str
    decks: Counting
    kind: Kind
    situation: Situation
    events: list[Event]
    table: Table
    choices: list[Choice]


class Health(Exact):
    ok: bool


class Problem(Exact):
    """Why a request was refused: a code for programs, one sentence for people."""

    type: Literal["about:blank"]
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    code: Annotated[str, Field(json_schema_extra={"enum": [*STATUSES]})]
    detail: str
    open: NotRequired[Annotated[Answer, Field(description="With `round_open`: that round.")]]


ANSWERS: tuple[type[Exact], ...] = (
    Answer,
    Coach,
    Export,
    GameDocument,
    Games,
    Health,
    History,
    House,
    Jackpots,
    Judged,
    Keys,
    Left,
    OpenRounds,
    PracticeHand,
    Problem,
    Proof,
    Receipt,
    Review,
    RulesPage,
    Session,
    Standing,
)
"""What a request may be answered with."""
