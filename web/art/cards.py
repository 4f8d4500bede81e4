"""Draw Upcard's deck: web/public/cards.svg, cards-large.svg and back.svg.

Run it after a change of this folder and commit what it writes. fontTools is all that it needs, and
`npm ci` in web/ brings the font:

    uv run --with fonttools web/art/cards.py

A face is a <symbol> of 250 by 350, `cAs` to `cKc`; the sheet it lies on is the page's. Faces use no
gradient, pattern or clip path, since browsers do not find those from another file. A page may set
`--suit-spades`, `--suit-hearts`, `--suit-diamonds` and `--suit-clubs` to have suits in its colours.
"""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Final

import courts
from outlines import FONT, PIPS, Lettering, number

PUBLIC: Final = Path(__file__).parents[1] / "public"
WIDTH: Final = 250
HEIGHT: Final = 350

RANKS: Final = "A23456789TJQK"
RED: Final = "#c8102e"
BLACK: Final = "#15181d"
NAVY: Final = "#1d3a63"
SUITS: Final = {
    "s": ("--suit-spades", BLACK),
    "h": ("--suit-hearts", RED),
    "d": ("--suit-diamonds", RED),
    "c": ("--suit-clubs", BLACK),
}
COURTS: Final[dict[str, Callable[[], str]]] = {
    "K": courts.king,
    "Q": courts.queen,
    "J": courts.jack,
}

LEFT, MIDDLE, RIGHT = 91, 125, 159
TOP, CENTRE = 60, 175
FULL: Final = 5
"""Places of a half from which on pips are drawn smaller, so that none touch."""
Place = tuple[int, int]
PLACES: Final[dict[str, tuple[Place, ...]]] = {
    "2": ((MIDDLE, TOP),),
    "3": ((MIDDLE, TOP), (MIDDLE, CENTRE)),
    "4": ((LEFT, TOP), (RIGHT, TOP)),
    "5": ((LEFT, TOP), (RIGHT, TOP), (MIDDLE, CENTRE)),
    "6": ((LEFT, TOP), (RIGHT, TOP), (LEFT, CENTRE), (RIGHT, CENTRE)),
    "7": ((LEFT, TOP), (RIGHT, TOP), (MIDDLE, 118), (LEFT, CENTRE), (RIGHT, CENTRE)),
    "8": ((LEFT, TOP), (RIGHT, TOP), (MIDDLE, 118), (LEFT, CENTRE), (RIGHT, CENTRE)),
    "9": ((LEFT, TOP), (RIGHT, TOP), (LEFT, 137), (RIGHT, 137), (MIDDLE, CENTRE)),
    "T": ((LEFT, TOP), (RIGHT, TOP), (MIDDLE, 99), (LEFT, 137), (RIGHT, 137)),
}
"""Pips of a card's upper half and middle; `_pips` has the upper ones again below, turned over."""


def _pip(suit: str, x: float, y: float, size: float) -> str:
    """A pip centred on (x, y), `size` wide."""
    tall = size * 1.08
    return (
        f'<use href="#p{suit}" x="{number(x - size / 2)}" y="{number(y - tall / 2)}"'
        f' width="{number(size)}" height="{number(tall)}"/>'
    )


def _both_ways(name: str, body: str) -> str:
    """A drawing, and once more with the card turned round."""
    return (
        f'<g id="{name}">{body}</g>'
        f'<use href="#{name}" transform="rotate(180 {WIDTH // 2} {HEIGHT // 2})"/>'
    )


def _pips(rank: str, suit: str) -> str:
    """The pips of two to ten: upright from the middle row up, and a seven's odd one too."""
    size = 44 if len(PLACES[rank]) >= FULL else 49
    turned, upright = "", ""
    for x, y in PLACES[rank]:
        if y == CENTRE or (rank == "7" and x == MIDDLE):
            upright += _pip(suit, x, y, size)
        else:
            turned += _pip(suit, x, y, size)
    return _both_ways(f"n{rank}{suit}", turned) + upright


def _ace(suit: str) -> str:
    """One great pip with a line engraved along its edge."""
    engraved = (
        f'<path transform="translate({MIDDLE} {CENTRE}) scale(1.2)" fill="none" stroke="#fff"'
        f' stroke-width="2" stroke-opacity=".75" d="{PIPS[suit]}"/>'
    )
    return _pip(suit, MIDDLE, CENTRE, 142) + engraved


def _court(rank: str, suit: str) -> str:
    """The figure twice in a frame, robed by colour: red suits in red, black suits in navy."""
    robe, lining = (RED, NAVY) if suit in "hd" else (NAVY, RED)
    figure = f'<use href="#{rank}" fill="{robe}" color="{lining}"/>' + _pip(suit, 79, 54, 27)
    sash = (
        f'<path d="M61 189 189 161" fill="none" stroke="{courts.INK}" stroke-width="11"/>'
        f'<path d="M61 189 189 161" fill="none" stroke="{courts.GOLD}" stroke-width="6.5"/>'
    )
    frame = (
        '<rect x="61" y="31" width="128" height="288" rx="7" fill="none" stroke="currentColor"'
        ' stroke-width="2.4"/>'
    )
    return _both_ways(f"g{rank}{suit}", figure) + sash + frame


def _index(lettering: Lettering, rank: str, suit: str) -> str:
    text = "10" if rank == "T" else rank
    letters = lettering.path(text, 73, 47)
    body = f'<path transform="translate(33 87)" d="{letters}"/>' + _pip(suit, 33, 121, 38)
    return _both_ways(f"i{rank}{suit}", body)


def _face(lettering: Lettering, rank: str, suit: str) -> str:
    if rank == "A":
        middle = _ace(suit)
    elif rank in COURTS:
        middle = _court(rank, suit)
    else:
        middle = _pips(rank, suit)
    return _index(lettering, rank, suit) + middle


def _large_face(lettering: Lettering, rank: str, suit: str) -> str:
    """Large print: nothing but an index that fills half of the card."""
    text = "10" if rank == "T" else rank
    letters = lettering.path(text, 148, 96)
    body = f'<path transform="translate(63 166)" d="{letters}"/>' + _pip(suit, 63, 238, 78)
    return _both_ways(f"i{rank}{suit}", body)


def _figures() -> str:
    """The half figures as symbols of their own, upright above the middle of a card."""
    ink = f'stroke="{courts.INK}" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"'
    return "".join(
        f'<symbol id="{rank}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<g transform="translate({MIDDLE} {CENTRE})" {ink}>{draw()}</g></symbol>'
        for rank, draw in COURTS.items()
    )


def sprite(face: Callable[[Lettering, str, str], str], shared: str) -> str:
    """All 52 faces, with what they share in front."""
    lettering = Lettering(FONT)
    parts = [
        f'<symbol id="p{suit}" viewBox="-50 -54 100 108"><path d="{path}"/></symbol>'
        for suit, path in PIPS.items()
    ]
    parts.append(shared)
    for suit, (name, colour) in SUITS.items():
        parts.extend(
            f'<symbol id="c{rank}{suit}" viewBox="0 0 {WIDTH} {HEIGHT}">'
            f'<g color="var({name},{colour})" fill="currentColor">'
            f"{face(lettering, rank, suit)}</g></symbol>"
            for rank in RANKS
        )
    body = "\n".join(part for part in parts if part)
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>\n'


def back() -> str:
    """A burgundy lattice in a golden border, with a spade on its medal."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><defs>'
        '<pattern id="lattice" width="26" height="26" patternUnits="userSpaceOnUse"'
        ' patternTransform="translate(125 175) rotate(45)"><path fill="#7a1020" d="M0 0h26v26H0z"/>'
        '<path d="M0 13h26M13 0v26" stroke="#c89b3c" stroke-width="1.6"/>'
        '<circle cx="13" cy="13" r="4.2" fill="#7a1020" stroke="#e6c46a" stroke-width="1.6"/>'
        '<circle r="1.8" fill="#c89b3c"/><circle cx="26" r="1.8" fill="#c89b3c"/>'
        '<circle cy="26" r="1.8" fill="#c89b3c"/><circle cx="26" cy="26" r="1.8" fill="#c89b3c"/>'
        '</pattern></defs><rect x="13" y="13" width="224" height="324" rx="10"'
        ' fill="url(#lattice)" stroke="#c89b3c" stroke-width="3"/>'
        '<rect x="21" y="21" width="208" height="308" rx="6" fill="none" stroke="#e6c46a"'
        ' stroke-width="1.6"/><g fill="#7a1020" stroke="#e6c46a">'
        '<circle cx="125" cy="175" r="54" stroke-width="4"/>'
        '<circle cx="125" cy="175" r="45.5" stroke-width="1.6"/></g>'
        f'<path transform="translate(125 174) scale(.58)" fill="#e6c46a" d="{PIPS["s"]}"/></svg>\n'
    )


def main() -> None:
    drawings = {
        "cards.svg": sprite(_face, _figures()),
        "cards-large.svg": sprite(_large_face, ""),
        "back.svg": back(),
    }
    for name, text in drawings.items():
        (PUBLIC / name).write_text(text)
        packed = len(gzip.compress(text.encode(), 9))
        print(f"{name}: {len(text):,} bytes, {packed:,} with gzip")


if __name__ == "__main__":
    main()
