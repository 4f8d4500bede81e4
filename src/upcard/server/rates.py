"""How often somebody may ask: token buckets by player and by address."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from upcard.refused import Refused

_RATE = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)/([0-9]{1,7})")
BURST_MIN = 5
KNOWN_MAX = 10_000
"""So many are kept before those whose buckets are full again are forgotten."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second on average, and at most `burst` at once."""

    per_second: float
    burst: int

    @classmethod
    def parse(cls, text: str) -> Rate:
        """`500/5000`: 500 a second, 5000 at once. Raises Refused (`field`)."""
        match = _RATE.fullmatch(text)
        if match is None or not float(match[1]) or not int(match[2]):
            raise Refused(
                "field", f"{text!r} is no rate; write one like 500/5000: a second, and at once."
            )
        return cls(float(match[1]), int(match[2]))

    def among(self, processes: int) -> Rate:
        """What each of several processes allows, so that all of them together allow this much.

        At once each allows a few, whose total may be more: somebody who mistypes a password is at
        one of them.
        """
        burst = max(self.burst // processes, min(self.burst, BURST_MIN))
        return Rate(self.per_second / processes, burst)

    def __str__(self) -> str:
        return f"{self.per_second:g}/{self.burst}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Generous to a script that plays as fast as it can; a bound to one that floods."""

    player: Rate = Rate(500, 5_000)
    address: Rate = Rate(2_000, 20_000)
    sessions: Rate = Rate(10, 1_000)
    """New sessions of one address."""
    export: Rate = Rate(0.1, 5)
    """Exports of one player."""
    logins: Rate = Rate(0.2, 20)
    """Names and passwords that an address may try."""
    login_names: Rate = Rate(1 / 30, 10)
    """How often one name may be tried, from wherever."""
    streams_per_player: int = 200

    def among(self, processes: int) -> Limits:
        """The limits of each of several processes. What would be hoarded or guessed is shared.

        Requests are not: they are limited for the sake of the process that has to answer them.
        """
        shared = {
            name: getattr(self, name).among(processes)
            for name in ("sessions", "export", "logins", "login_names")
        }
        return replace(self, **shared)


class TooOften(Refused):
    """`rate`: ask again after so many whole seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__("rate", f"That was too often; ask again in {seconds} s.")
        self.seconds = seconds


class Buckets:
    """One bucket each for whoever asks; `clock` gives seconds and never goes back.

    Of each bucket only the instant is kept at which it will be full again.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._seconds_each = 1 / rate.per_second
        self._seconds_max = rate.burst / rate.per_second
        self._clock = clock
        self._full_at: dict[str, float] = {}

    def take(self, who: str) -> None:
        """Raises TooOften, and then takes nothing."""
        now = self._clock()
        full_at = max(self._full_at.get(who, now), now) + self._seconds_each
        too_soon = full_at - now - self._seconds_max
        # A float may miss the instant at which one more fits by its last digits.
        if too_soon > self._seconds_each * 1e-6:
            raise TooOften(math.ceil(too_soon))
        if len(self._full_at) >= KNOWN_MAX:
            self._full_at = {key: at for key, at in self._full_at.items() if at > now}
        self._full_at[who] = full_at


class Rates:
    """All limits of a house."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.player = Buckets(limits.player, clock)
        self.address = Buckets(limits.address, clock)
        self.sessions = Buckets(limits.sessions, clock)
        self.logins = Buckets(limits.logins, clock)
        self.login_names = Buckets(limits.login_names, clock)
        self.export = Buckets(limits.export, clock)
