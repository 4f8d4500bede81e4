"""Plots as inline SVG: plain shapes and text, readable in black and white and on a phone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise

WIDTH, HEIGHT = 480, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 22, 44
"""A plot is drawn 480 wide; at 358 pixels on a phone its letters are still 11 high."""

ROUND_NAMES = ("1,000", "10,000", "100,000", "1 M", "10 M", "100 M")
"""A thousand to a hundred million rounds."""

Net = tuple[float, float]
"""A net result and its probability."""


def distribution(nets: Sequence[Net], *, label: str, unit: str) -> str:
    """Bars: how often a round ends with each net result."""
    shown = [(net, chance) for net, chance in nets if chance > 0]
    highest = max(chance for _, chance in shown)
    scale = _nice(highest)
    low, high = shown[0][0], shown[-1][0]
    step = min((b - a for (a, _), (b, _) in pairwise(shown)), default=1.0)
    span = max(high - low + step, step)

    def x(net: float) -> float:
        return LEFT + (net - low + step / 2) / span * (WIDTH - LEFT - RIGHT)

    def y(chance: float) -> float:
        return HEIGHT - BOTTOM - chance / scale * (HEIGHT - TOP - BOTTOM)

    width = max(2.0, 0.72 * step / span * (WIDTH - LEFT - RIGHT))
    marks = [
        f'<rect class="bar{" loss" if net < 0 else " even" if net == 0 else ""}" '
        f'x="{x(net) - width / 2:.1f}" y="{y(chance):.1f}" width="{width:.1f}" '
        f'height="{max(HEIGHT - BOTTOM - y(chance), 0.6):.1f}">'
        f"<title>{_signed(net)}: {percent(chance)}</title></rect>"
        for net, chance in shown
    ]
    marks += [
        f'<text class="on" x="{x(net):.1f}" y="{y(chance) - 5:.1f}">{100 * chance:.1f}</text>'
        for net, chance in shown
        if width >= 26 or chance > 0.12 * highest
    ]
    every = max(1, math.ceil(span / 10))
    marks += [
        f'<text class="tick mid" x="{x(net):.1f}" y="{HEIGHT - BOTTOM + 17}">{_signed(net)}</text>'
        for net in range(math.ceil(low), math.floor(high) + 1)
        if net % every == 0
    ]
    marks += [_y_tick(y(part * scale), f"{100 * part * scale:g} %") for part in (0, 0.5, 1)]
    return _svg(marks, label=label, below=unit)


def bands(mean: float, sd: float, levels: Sequence[tuple[float, float]], *, label: str) -> str:
    """Funnels: where the observed return lies after so many rounds; `levels` are (level, z)."""
    first, last = 3.0, 8.0
    widest = max(z for _, z in levels)
    most = 1.04 * widest * sd / math.sqrt(10**first)

    def x(power: float) -> float:
        return LEFT + (power - first) / (last - first) * (WIDTH - LEFT - RIGHT - 8)

    def y(value: float) -> float:
        return TOP + (mean + most - value) / (2 * most) * (HEIGHT - TOP - BOTTOM)

    powers = [first + part * (last - first) / 60 for part in range(61)]
    marks = []
    for number, (level, z) in enumerate(sorted(levels, reverse=True)):
        upper = [(x(p), y(mean + z * sd / math.sqrt(10**p))) for p in powers]
        lower = [(x(p), y(mean - z * sd / math.sqrt(10**p))) for p in powers]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in (*upper, *reversed(lower)))
        marks.append(
            f'<polygon class="band b{number}" points="{points}">'
            f"<title>{100 * level:.0f} % of all sittings</title></polygon>"
        )
    marks.append(
        f'<line class="mean" x1="{x(first):.1f}" x2="{x(last):.1f}" y1="{y(mean):.1f}" '
        f'y2="{y(mean):.1f}"/>'
    )
    marks += [
        f'<text class="tick mid" x="{x(power):.1f}" y="{HEIGHT - BOTTOM + 17}">{name}</text>'
        for power, name in zip(range(3, 9), ROUND_NAMES, strict=True)
    ]
    tick = _nice(most / 3)
    first_tick, last_tick = math.ceil((mean - most) / tick), math.floor((mean + most) / tick)
    marks += [
        _y_tick(y(number * tick), f"{100 * number * tick:.{_digits(tick)}f} %")
        for number in range(first_tick, last_tick + 1)
    ]
    return _svg(marks, label=label, below="rounds")


def share_bar(share: float) -> str:
    """A bar in a table cell; the figure stands beside it."""
    width = max(0.0, min(1.0, share)) * 100
    return (
        '<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{width:.2f}" height="10"/></svg>'
    )


def percent(part: float) -> str:
    return f"{100 * part:.3g} %" if part < 0.1 else f"{100 * part:.1f} %"


def _nice(value: float) -> float:
    """The next of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    for factor in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10):
        if factor * power >= value * (1 - 1e-12):
            return factor * power
    raise AssertionError(value)


def _digits(step: float) -> int:
    """Decimals that tell ticks apart that are so far from each other, in per cent."""
    return max(0, -math.floor(math.log10(100 * step) + 1e-9))


def _signed(net: float) -> str:
    if net == 0:
        return "0"
    return f"{net:+g}".replace("-", "\N{MINUS SIGN}")


def _y_tick(y: float, text: str) -> str:
    return (
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="tick end" x="{LEFT - 6}" y="{y + 4:.1f}">{text}</text>'
    )


def _svg(marks: Sequence[str], *, label: str, below: str) -> str:
    grid = [mark for mark in marks if mark.startswith('<line class="grid"')]
    others = [mark for mark in marks if not mark.startswith('<line class="grid"')]
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label, quote=True)}">'
        + "".join((*grid, *others))
        + f'<text class="tick mid" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}">'
        f"{escape(below)}</text></svg>"
    )
