"""What a player sets for himself: limits on loss and stakes, and times without play. Pure.

A limit that is lowered acts at once, one that is raised or taken away after a day. Both kinds bind
the bet before the deal, by what it stakes; a choice in an open round is never refused by them, and
what it stakes counts for the next bet. Days, weeks from Monday and months are those of UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal, NamedTuple, get_args

from upcard.house.sittings import DAY, PlayDay
from upcard.money import print_cents
from upcard.refused import Refused, listed

Kind = Literal["loss", "stake"]
Period = Literal["day", "week", "month"]
KINDS: tuple[Kind, ...] = get_args(Kind)
PERIODS: tuple[Period, ...] = get_args(Period)

RAISE_SECONDS = DAY
"""After so long a limit is raised or taken away."""
DAYS_OF_PERIOD_MAX = 31
COOL_OFF_DAYS = (1, 7, 30)
SELF_EXCLUSION_DAYS = (182, 365, 1_825)
_EPOCH = date(1970, 1, 1)


class OwnLimit(NamedTuple):
    """A limit as it was asked for; `cents` None takes it away. Times in seconds since 1970."""

    player: str
    kind: Kind
    period: Period
    cents: int | None
    asked_at: int
    acts_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """A time without play, `began` to `ends` in seconds since 1970. Nothing shortens it."""

    player: str
    days: int
    began: int
    ends: int

    @property
    def kind(self) -> Literal["cool_off", "self_exclusion"]:
        return "cool_off" if self.days in COOL_OFF_DAYS else "self_exclusion"


@dataclass(frozen=True, slots=True)
class Standing:
    """The limit in force, None for none, and the one that is to come."""

    cents: int | None
    coming: OwnLimit | None = None


def standing(asked: Iterable[OwnLimit], kind: Kind, period: Period, now: int) -> Standing:
    """What has become of all that was asked, in order; a wish takes the place of one to come."""
    stands = Standing(None)
    for limit in asked:
        if (limit.kind, limit.period) != (kind, period):
            continue
        before = _acted(stands, limit.asked_at)
        acts_at_once = limit.acts_at <= limit.asked_at
        stands = Standing(limit.cents) if acts_at_once else Standing(before.cents, limit)
    return _acted(stands, now)


def _acted(stands: Standing, now: int) -> Standing:
    coming = stands.coming
    return Standing(coming.cents) if coming and coming.acts_at <= now else stands


def wish(
    asked: Sequence[OwnLimit],
    player: str,
    kind: Kind,
    period: Period,
    cents: int | None,
    now: int,
) -> OwnLimit | None:
    """What to write down where a player wants this limit now; None where it stands so already."""
    stands = standing(asked, kind, period, now)
    wanted = stands.coming.cents if stands.coming else stands.cents
    if cents == wanted:
        return None
    looser = stands.cents is not None and (cents is None or cents > stands.cents)
    acts_at = now + RAISE_SECONDS if looser else now
    return OwnLimit(
        player=player, kind=kind, period=period, cents=cents, asked_at=now, acts_at=acts_at
    )


# Periods


def first_day(period: Period, day: int) -> int:
    """The first day of the period that a day lies in."""
    on = _EPOCH + timedelta(days=day)
    match period:
        case "day":
            return day
        case "week":
            return day - on.weekday()
        case "month":
            return day - (on.day - 1)


def renews_at(period: Period, now: int) -> int:
    """When the next day, week or month begins."""
    first = first_day(period, now // DAY)
    # From any day so late in a period, its first leads to the next one.
    length = {"day": 1, "week": 7, "month": 31}[period]
    return first_day(period, first + length) * DAY


def used(days: Iterable[PlayDay], kind: Kind, period: Period, now: int) -> int:
    """What was staked in the running period, or lost; a loss is negative after a win."""
    first = first_day(period, now // DAY)
    return sum(
        each.staked if kind == "stake" else each.staked - each.paid
        for each in days
        if each.day >= first
    )


# Checking a bet


def check_bet(asked: Sequence[OwnLimit], days: Iterable[PlayDay], cents: int, now: int) -> None:
    """Raises Refused (`own_limit`) if a bet of so many cents could pass a limit in force."""
    if not asked:
        return
    days = tuple(days)
    for kind in KINDS:
        for period in PERIODS:
            limit = standing(asked, kind, period, now).cents
            if limit is None:
                continue
            left = limit - used(days, kind, period, now)
            if cents > left:
                raise _passed(kind, period, limit, max(left, 0), now)


def _passed(kind: Kind, period: Period, limit: int, left: int, now: int) -> Refused:
    noun = {"loss": "could pass the loss limit", "stake": "passes the stake limit"}[kind]
    return Refused(
        "own_limit",
        f"This bet {noun} of {print_cents(limit)} a {period} that you have set; "
        f"{print_cents(left)} are left until {told_time(renews_at(period, now))}.",
    )


def check_excluded(exclusions: Iterable[Exclusion], now: int) -> None:
    """Raises Refused (`excluded`) while a time without play runs."""
    running = running_exclusion(exclusions, now)
    if running is not None:
        raise Refused(
            "excluded",
            f"You have excluded yourself from play until {told_time(running.ends)}; "
            "an open round can still be finished.",
        )


def running_exclusion(exclusions: Iterable[Exclusion], now: int) -> Exclusion | None:
    """The exclusion that runs longest from now."""
    running = [each for each in exclusions if each.ends > now]
    return max(running, key=lambda each: each.ends) if running else None


def exclude(exclusions: Iterable[Exclusion], player: str, days: int, now: int) -> Exclusion:
    """The exclusion to write down. Raises Refused (`field`) unless it is offered and longer."""
    offered = (*COOL_OFF_DAYS, *SELF_EXCLUSION_DAYS)
    if days not in offered:
        raise Refused("field", f"days must be {listed([str(each) for each in offered])}.")
    running = running_exclusion(exclusions, now)
    if running is not None and now + days * DAY <= running.ends:
        raise Refused(
            "field",
            f"You are excluded until {told_time(running.ends)}; that can only be made longer.",
        )
    return Exclusion(player=player, days=days, began=now, ends=now + days * DAY)


def told_time(seconds: int) -> str:
    """`2027-01-15 08:00 UTC`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
