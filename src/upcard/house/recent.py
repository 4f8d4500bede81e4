"""Open rounds as they were left, so that the next step need not replay them.

A shortcut and never the truth: the journal says what a round is, any process can serve it, and a
round that is not here is played again from its inputs.
"""

from __future__ import annotations

from collections import OrderedDict

from upcard.house.journal import Played, StoredRound

ROUNDS_MAX = 4_096


class RecentRounds:
    """The open rounds that were touched last, each after the step that was last made durable.

    What is kept must be committed: until then another step may take its place, afterwards a
    round's past never changes, and (round, seq) is enough to know it by.
    """

    def __init__(self, rounds_max: int = ROUNDS_MAX) -> None:
        self._rounds_max = rounds_max
        self._kept: OrderedDict[str, tuple[int, Played]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, stored: StoredRound) -> Played | None:
        """The round as the store has it, if it is known at that very step."""
        seq, played = self._kept.get(stored.id, (-1, None))
        return played if seq == stored.seq else None

    def keep(self, id_: str, seq: int, played: Played) -> None:
        """Remember a round after a step that is durable; one that is over is forgotten."""
        if played.round.is_over:
            self._kept.pop(id_, None)
            return
        self._kept[id_] = (seq, played)
        self._kept.move_to_end(id_)
        if len(self._kept) > self._rounds_max:
            self._kept.popitem(last=False)
