"""What an operator does to a house from the command line, beside the processes that serve it."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from typing import Any

from upcard.house.journal import pool_terms
from upcard.house.rounds import House
from upcard.house.store.opening import open_store
from upcard.house.terms import TermsChange
from upcard.refused import Refused
from upcard.sidebets import Pool

NAME_CHARACTERS_MAX = 200
ID_BYTES = 10


def terms_change(
    key: str,
    *,
    operator: str,
    reason: str,
    seed: int | None,
    share: str | None,
    cap: int | None,
    no_cap: bool,
) -> TermsChange:
    """A change as it is asked for in words. Raises Refused (`field`)."""
    for name, text in (("--operator", operator), ("--reason", reason)):
        if not text.strip() or len(text) > NAME_CHARACTERS_MAX:
            raise Refused("field", f"{name} takes 1 to {NAME_CHARACTERS_MAX} characters.")
    if no_cap and cap is not None:
        raise Refused("field", "--cap and --no-cap exclude each other.")
    return TermsChange(
        key=key,
        operator=operator.strip(),
        reason=reason.strip(),
        command=secrets.token_hex(ID_BYTES),
        seed=seed,
        share=None if share is None else _share(share),
        cap=cap,
        no_cap=no_cap,
    )


def _share(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Refused("field", f"{text!r} is no share; write it like 17/100 or 0.17.") from None


async def change_terms(url: str, change: TermsChange) -> Pool:
    """Change the terms of a meter. Raises Refused (`field`, `store`)."""
    async with _house(url) as house:
        return await house.change_terms(change)


async def jackpots(url: str) -> dict[str, Any]:
    """Every meter as it stands, and all of its terms. Raises Refused (`store`)."""
    async with _house(url) as house:
        stands = {each["key"]: each for each in (await house.jackpots())["jackpots"]}
        terms = [pool_terms(pool) for pool in await house.terms()]
    return {"jackpots": [{**stands[each["key"]], **each} for each in terms]}


@asynccontextmanager
async def _house(url: str) -> AsyncIterator[House]:
    """A house that exists already; others may serve it meanwhile."""
    store = open_store(url, must_exist=True)
    try:
        yield House(store, clock=time.time, entropy=secrets.token_bytes)
    finally:
        await store.close()
