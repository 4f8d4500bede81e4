"""King, queen and jack: one half figure each, which a card shows twice, the other way up.

A half stands on the card's middle: x from -63 to 63, y from -143 up there to 0, where a slanting
sash parts it from its twin. Robes take the fill of whoever uses the figure and linings its colour,
so that one drawing serves four suits.
"""

from typing import Final

INK: Final = "#15181d"
GOLD: Final = "#e2b044"
SHADE: Final = "#b27d1e"
SKIN: Final = "#f7dcbd"
ROSE: Final = "#c3213c"
WHITE: Final = "#fff"
STEEL: Final = "#e3e9f0"
LEAF: Final = "#2c6b3a"
LINING: Final = "currentColor"
ROBE: Final = ""


def _shape(fill: str, path: str, *more: str) -> str:
    """A filled and outlined shape; without a fill it is part of the robe."""
    attributes = "".join(f" {part}" for part in (f'fill="{fill}"' if fill else "", *more) if part)
    return f'<path{attributes} d="{path}"/>'


def _both(fill: str, path: str) -> str:
    """A shape on the left, and its mirror image on the right."""
    return _shape(fill, path) + _shape(fill, path, 'transform="scale(-1 1)"')


def _line(path: str, width: float = 2, colour: str = INK) -> str:
    return f'<path fill="none" stroke="{colour}" stroke-width="{width}" d="{path}"/>'


def _braid(path: str) -> str:
    """A golden edge with ink on both sides."""
    return _line(path, 7.5) + _line(path, 3.6, GOLD)


def _ball(x: float, y: float, radius: float, fill: str = WHITE) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"/>'


def _face(brow: str) -> str:
    return (
        _shape(SKIN, "M-9-60V-44H9V-60z")
        + _shape(SKIN, "M-22-104H22V-76C22-60 11-49 0-49S-22-60-22-76z")
        + '<g fill="#eea58f" stroke="none"><circle cx="-14" cy="-70" r="4.5"/>'
        + '<circle cx="14" cy="-70" r="4.5"/></g>'
        + _shape(
            WHITE,
            "M-16-80Q-10.5-86-5-80-10.5-76-16-80zM16-80Q10.5-86 5-80 10.5-76 16-80z",
            'stroke-width="1.6"',
        )
        + f'<g fill="{INK}" stroke="none"><circle cx="-10" cy="-80.5" r="2.4"/>'
        + '<circle cx="10" cy="-80.5" r="2.4"/></g>'
        + _line(brow, 2.2)
        + _line("M1-80C1-75 4-71 4-69.5 2-68-1-68-2-69", 1.8)
    )


def _hand(x: float, y: float) -> str:
    """A fist around something upright, and the cuff it comes out of."""
    cuff = _shape(WHITE, f"M{x - 13:g} {y + 13:g}l-3-9 11-5 12 1 7 9-6 9z")
    fist = _shape(SKIN, f"M{x - 9:g} {y:g}c0-5 3-7 8-7h5c5 0 6 3 6 6s-2 7-6 8h-8c-3-1-5-3-5-7z")
    return cuff + fist + _line(f"M{x:g} {y - 2.5:g}h8M{x:g} {y + 2:g}h8", 1.5)


def _king_robes() -> tuple[str, str]:
    """His cloak, and the ermine that lies over it."""
    cloak = (
        _shape(ROBE, "M-64 14V-18C-57-38-38-45-18-50H18C38-45 57-38 64-18V-14z")
        + _shape(LINING, "M-19-46-25 5.5 25-5.5 19-46z")
        + _line("M-12-14 0-26 12-14 0-2zM-14 8 0-2 13-4", 2.4, GOLD)
        + _braid("M-27-40C-31-24-31-8-29 6.500M27-40C31-24 31-14 29-6.5")
    )
    ermine = _shape(
        WHITE, "M-47-39C-36-21-18-10 0-7 18-10 36-21 47-39L24-50C17-37 8-30 0-28-8-30-17-37-24-50z"
    ) + _line("M-34-37l2 6M-22-27l3 6M-8-20v6M8-20v6M22-27l-3 6M34-37l-2 6", 3)
    return cloak, ermine


def _king_head() -> str:
    """Beard and crown, over the face."""
    beard = (
        _shape(
            "#6b4423",
            "M-22.5-82C-20-70-13-68-8-66Q0-71 8-66C13-68 20-70 22.5-82"
            "C30-54 18-34 0-22-18-34-30-54-22.5-82z",
        )
        + _line("M-14-56C-12-46-8-40-4-34M14-56C12-46 8-40 4-34M0-50V-32", 1.8, "#a87a49")
        + _shape(
            "#8a5a2e", "M0-68C-5-72-14-70-18-62-11-58-4-60 0-64 4-60 11-58 18-62 14-70 5-72 0-68z"
        )
        + _shape(ROSE, "M-5-59.500Q0-55.5 5-59.5 0-53-5-59.500z", 'stroke-width="1.2"')
    )
    crown = (
        _shape(LINING, "M-22-112C-20-130-8-132 0-130 8-132 20-130 22-112z")
        + _shape(GOLD, "M-27-110-33-133-15-122 0-138 15-122 33-133 27-110Q0-103-27-110z")
        + _shape(ROBE, "M-27-101Q0-94 27-101V-111Q0-104-27-111z")
        + _ball(-33, -134, 3.6)
        + _ball(0, -138, 4)
        + _ball(33, -134, 3.6)
        + _ball(0, -102.5, 3.2, GOLD)
        + _ball(-15, -104.5, 2.4)
        + _ball(15, -104.5, 2.4)
    )
    return beard + crown


def king() -> str:
    cloak, ermine = _king_robes()
    hair = _both("#6b4423", "M-20-104C-36-96-37-66-28-50-22-50-19-56-19-64z")
    sword = (
        _shape(STEEL, "M44-32V-104L48.5-116 53-104V-32z")
        + _line("M48.5-106V-36", 1.4, "#8b97a5")
        + _shape(GOLD, "M36-36H61V-30H36z")
        + _shape(SHADE, "M45-30H52V-6H45z")
    )
    face = _face("M-17-87Q-11-91-4-87M17-87Q11-91 4-87")
    return cloak + hair + face + ermine + _king_head() + sword + _hand(47, -20)


def _queen_crown() -> str:
    """Her parted hair and the crown on it."""
    fringe = _both("#9a4a1c", "M0-106C-10-102-18-94-22-80-26-92-24-102-18-108z")
    crown = (
        _shape(
            GOLD,
            "M-25-104C-26-114-22-122-19-130-13-120-7-121 0-137 7-121 13-120 19-130"
            " 22-122 26-114 25-104Q0-112-25-104z",
        )
        + _shape(ROBE, "M-25-98Q0-107 25-98V-105Q0-114-25-105z")
        + _ball(-19, -131, 3.4)
        + _ball(0, -137, 4)
        + _ball(19, -131, 3.4)
        + _ball(0, -107.5, 2.8)
        + _ball(-14, -105, 2)
        + _ball(14, -105, 2)
    )
    return fringe + crown


def queen() -> str:
    hair = _both("#9a4a1c", "M-20-106C-42-98-37-72-43-54-46-44-42-36-34-34-24-34-17-42-17-54z")
    waves = _line("M-29-92C-33-76-30-62-35-46M29-92C33-76 30-62 35-46", 1.8, "#d98a4a")
    gown = (
        _shape(ROBE, "M-64 14V-14C-60-34-44-42-24-45L0-20 24-45C44-42 60-34 64-14V-14z")
        + _shape(LINING, "M-25-45 0-18 25-45 31-7-31 7z")
        + _line("M-9-18 9-10M-10-8 9-2M9-18-9-10M10-8-9 1", 1.8, GOLD)
        + _shape(SKIN, "M-9-58V-49L-21-45.5 0-22 21-45.5 9-49V-58z")
        + _braid("M-24-46 0-20 24-46")
        + _braid("M-46-37C-40-22-38-6-40 8M46-37C40-26 39-18 40-10")
    )
    pearls = "".join(
        _ball(x, y, 2.5) for x, y in ((-12, -46), (-7, -41), (0, -39), (7, -41), (12, -46))
    ) + _shape(GOLD, "M0-37 4-31 0-25-4-31z")
    lips = _shape(ROSE, "M-6-59Q-2.5-62 0-60 2.5-62 6-59 0-54-6-59z", 'stroke-width="1.2"')
    rose = (
        _line("M49-14C50-36 47-52 49-74", 5)
        + _line("M49-14C50-36 47-52 49-74", 2, LEAF)
        + _shape(LEAF, "M49-52C52-62 60-63 62-61 62-54 57-48 49-50z")
        + _shape(ROBE, "M49-72C36-74 35-88 42-95 46-91 52-91 56-95 63-88 62-74 49-72z")
        + _shape(GOLD, "M49-77C43-80 43-88 49-92 55-88 55-80 49-77z", 'stroke-width="1.6"')
    )
    face = _face("M-17-88Q-11-93-5-88M17-88Q11-93 5-88")
    return hair + waves + gown + face + pearls + lips + _queen_crown() + rose + _hand(48, -20)


def jack() -> str:
    hair = _both("#d8992f", "M-18-104C-38-98-36-66-31-48-25-44-18-47-17-55z")
    strands = _line("M-27-92C-30-78-28-66-26-54M27-92C30-78 28-66 26-54", 1.8, SHADE)
    tunic = (
        _shape(ROBE, "M-64 14V-18C-57-38-38-45-18-50H18C38-45 57-38 64-18V-14z")
        + _shape(
            LINING,
            "M-64 14V-18C-59-33-48-40-36-44L-28-20-32 7zM64-14V-18C59-33 48-40 36-44L28-20 32-7z",
        )
        + _line("M-56-24-54 8M-46-34-43 6M56-24 55-16M46-34 44-14", 2, GOLD)
        + _braid("M0-40V0")
        + _ball(-9, -28, 2.6, GOLD)
        + _ball(9, -28, 2.6, GOLD)
        + _ball(-9, -12, 2.6, GOLD)
        + _ball(9, -12, 2.6, GOLD)
    )
    collar = _both(WHITE, "M-9-52-27-45-17-30 0-41V-44z")
    lips = _shape(ROSE, "M-6-59Q0-61.5 6-59 0-54.5-6-59z", 'stroke-width="1.2"')
    fringe = _shape("#d8992f", "M-23-104H23V-93C14-89 6-95 0-92-8-89-16-90-23-93z")
    cap = (
        _shape(ROBE, "M-28-104C-42-118-26-137 4-137 32-137 40-118 28-104Q0-112-28-104z")
        + _shape(GOLD, "M-29-98Q0-107 29-98V-106Q0-115-29-106z")
        + _shape(WHITE, "M18-106C22-124 38-140 60-138 60-124 46-110 30-104z")
        + _line("M22-107C32-120 44-130 56-136M31-115l3 7M39-123l5 6M47-130l5 4", 1.6)
        + _ball(19, -107, 4.4, LINING)
    )
    halberd = (
        _line("M49-4V-70", 6)
        + _line("M49-4V-70", 2.6, GOLD)
        + _shape(
            STEEL, "M49-100 54-86 62-84C64-74 60-66 53-66H45C42-70 40-72 36-72 40-78 44-82 45-86z"
        )
    )
    face = _face("M-17-87Q-11-90-5-88M17-87Q11-90 5-88")
    return hair + strands + face + tunic + collar + lips + fringe + cap + halberd + _hand(48, -20)
