"""Values for the record types of the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from upcard.simulate.kernel import Record


def record(kind: np.dtype[Any], **fields: Any) -> Record:
    """A record with these fields, all others zero; an array fills the beginning of its field."""
    made: Record = np.zeros(1, kind).view(np.recarray)[0]
    for name, value in fields.items():
        given = np.asarray(value)
        room = made[name]
        if given.ndim == 0:
            made[name] = value
            continue
        assert all(has <= most for has, most in zip(given.shape, room.shape, strict=True)), name
        room[tuple(slice(size) for size in given.shape)] = given
    return made
