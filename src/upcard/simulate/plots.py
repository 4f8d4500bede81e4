"""Plots of a run as SVG that stands by itself, in a notebook or in a file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from upcard.maths import plots

WIDTH: Final = plots.WIDTH
HEIGHT: Final = plots.HEIGHT
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 16, 40
STYLE: Final = (
    "<style>svg.plot{max-width:34rem;background:#fff;font:11px sans-serif}"
    ".plot text{fill:#222}.plot .mid{text-anchor:middle}.plot .end{text-anchor:end}"
    ".plot .grid{stroke:#ddd}.plot .bar{fill:#2a6f5b}.plot .loss{fill:#a33b2f}"
    ".plot .even{fill:#888}.plot .on{text-anchor:middle}.plot .band{fill:#2a6f5b33}"
    ".plot .mean{fill:none;stroke:#2a6f5b;stroke-width:1.5}</style>"
)
WITHIN: Final = 2.0
"""Standard errors either way."""
BARS_MAX: Final = 40
"""Net results that are drawn; the rarest beyond them would be no more than a hair."""

Point = tuple[int, float, float]
"""Rounds, mean, standard error."""


def distribution(shares: Sequence[tuple[float, float]]) -> str:
    """Bars: how often a round ends with each net result, in initial bets."""
    often = sorted(shares, key=lambda share: -share[1])[:BARS_MAX]
    drawn = plots.distribution(
        sorted(often), label="How often a round nets what", unit="net result in initial bets"
    )
    return _styled(drawn)


def convergence(path: Sequence[Point]) -> str:
    """The mean as the rounds went on, and a band of two standard errors about it."""
    first, last = math.log10(path[0][0]), math.log10(path[-1][0])
    span = max(last - first, 1e-9)
    low = min(mean - WITHIN * error for _, mean, error in path)
    high = max(mean + WITHIN * error for _, mean, error in path)
    room = max(high - low, 1e-9)

    def x(rounds: int) -> float:
        return LEFT + (math.log10(rounds) - first) / span * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return TOP + (high - value) / room * (HEIGHT - TOP - BOTTOM)

    upper = [f"{x(rounds):.1f},{y(mean + WITHIN * error):.1f}" for rounds, mean, error in path]
    lower = [f"{x(rounds):.1f},{y(mean - WITHIN * error):.1f}" for rounds, mean, error in path]
    line = [f"{x(rounds):.1f},{y(mean):.1f}" for rounds, mean, _ in path]
    marks = [
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" '
        f'y2="{y(value):.1f}"/><text class="end" x="{LEFT - 6}" y="{y(value) + 4:.1f}">'
        f"{100 * value:.3f} %</text>"
        for value in (low, (low + high) / 2, high)
    ]
    marks += [
        f'<text class="{kind}" x="{place}" y="{HEIGHT - BOTTOM + 17}">{rounds:,}</text>'
        for kind, place, rounds in (("", LEFT, path[0][0]), ("end", WIDTH - RIGHT, path[-1][0]))
    ]
    marks.append(f'<polygon class="band" points="{" ".join((*upper, *reversed(lower)))}"/>')
    marks.append(f'<polyline class="mean" points="{" ".join(line)}"/>')
    return _styled(
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="How the mean came along">{"".join(marks)}'
        f'<text class="mid" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}">rounds</text></svg>'
    )


def _styled(svg: str) -> str:
    """With its style inside, and the name space that a file of its own needs."""
    head, rest = svg.split(">", 1)
    return f'{head} xmlns="http://www.w3.org/2000/svg">{STYLE}{rest}'
