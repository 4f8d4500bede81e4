"""Rule fields as text: every value of a rule record has a dotted name and a text that parses back.

A rules dataclass declares each field with `field(default, codec)`; nested dataclasses give dotted
names (`double.cards`). `texts` prints a record, `replaced` sets one field of it from text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from upcard.money import parse_odds
from upcard.refused import Refused, listed

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Codec:
    """How one field is read and written. `parse` raises ValueError on text it cannot take."""

    parse: Callable[[str], Any]
    print: Callable[[Any], str]
    allowed: str
    examples: tuple[str, ...]
    """Texts that parse, at least two of them different; conformance tests walk through them."""


def whole(low: int, high: int) -> Codec:
    """A whole number within bounds, both included."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or not low <= int(text) <= high:
            raise ValueError(text)
        return int(text)

    return Codec(parse, str, f"a whole number from {low} to {high}", (str(low), str(high)))


def one_of(*words: str) -> Codec:
    """One of a few words."""

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(text)
        return text

    return Codec(parse, str, listed(words), words)


def _parse_flag(text: str) -> bool:
    return {"true": True, "false": False}[text]


FLAG = Codec(_parse_flag, lambda value: str(value).lower(), "true or false", ("true", "false"))
ODDS = Codec(parse_odds, str, "odds like 3:2", ("1:1", "3:2", "2:1"))


def ruled(default: Any, codec: Codec) -> Any:
    """A dataclass field with a default and a text form."""
    return dataclasses.field(default=default, metadata={"codec": codec})


def codecs(rules: Any) -> dict[str, Codec]:
    """Dotted name → codec, in the order of the record; of a rules record or its class."""
    found: dict[str, Codec] = {}
    for item in dataclasses.fields(rules):
        if "codec" in item.metadata:
            found[item.name] = item.metadata["codec"]
        else:
            inner = codecs(item.default_factory)
            found |= {f"{item.name}.{name}": codec for name, codec in inner.items()}
    return found


def texts(rules: Any) -> dict[str, str]:
    """Dotted name → text of its value, in the order of the record."""
    return {name: codec.print(_value(rules, name)) for name, codec in codecs(rules).items()}


def replaced(rules: R, name: str, text: str) -> R:
    """The record with one field set from text. Raises Refused (`field`)."""
    known = codecs(rules)
    if name not in known:
        raise Refused(
            "field", f"{name!r} is no rule field here; the fields are {listed([*known], 'and')}."
        )
    try:
        value = known[name].parse(text)
    except (ValueError, KeyError, Refused):
        raise Refused(
            "field", f"{name}={text} cannot be; {name} is {known[name].allowed}."
        ) from None
    changed: R = _replaced(rules, name.split("."), value)
    return changed


def _value(rules: Any, name: str) -> Any:
    for part in name.split("."):
        rules = getattr(rules, part)
    return rules


def _replaced(rules: Any, path: list[str], value: Any) -> Any:
    if len(path) > 1:
        value = _replaced(getattr(rules, path[0]), path[1:], value)
    return dataclasses.replace(rules, **{path[0]: value})
