"""The sealer: puts what is committed into signed blocks, a moment behind. No bet waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from upcard.house.blocks import Block, seal
from upcard.house.keys import SigningKey
from upcard.house.ledger import ISSUANCE
from upcard.house.store import Needs, Store, StoreBusy, Writes

SEAL_SECONDS = 0.5
"""How often it looks; with the sealing itself less than the second that we promise."""
TRANSFERS_PER_BLOCK_MAX = 50_000

log = logging.getLogger(__name__)


class Sealer:
    """One for each database. `clock` gives seconds since 1970."""

    def __init__(
        self,
        store: Store,
        *,
        key: SigningKey,
        clock: Callable[[], float],
        transfers_max: int = TRANSFERS_PER_BLOCK_MAX,
    ) -> None:
        self._store = store
        self._key = key
        self._clock = clock
        self._transfers_max = transfers_max
        self._stopping = asyncio.Event()

    async def seal(self) -> list[Block]:
        """Seal all that is committed and that nobody else seals; the new blocks."""
        made: list[Block] = []
        last = await self._store.last_block()
        while unsealed := await self._store.unsealed(last.last if last else 0, self._transfers_max):
            block = seal(unsealed, last, at=int(self._clock()), key=self._key)
            if not await self._write(block):
                break
            made.append(block)
            last = block
        return made

    async def _write(self, block: Block) -> bool:
        """Whether it is this one that follows: another process may have begun to seal meanwhile."""
        try:
            await self._store.run(Needs(player=ISSUANCE), lambda _: (Writes(block=block), None))
        except Exception:
            last = await self._store.last_block()
            if last is None or last.number < block.number:
                raise
            # Where a connection was lost after the commit our block is there, and refused again.
            return last == block
        return True

    async def keep_sealing(self) -> None:
        """Seal again and again, and once more after `stop`."""
        while True:
            stopping = self._stopping.is_set()
            try:
                await self.seal()
            except StoreBusy as busy:
                log.warning("transfers are sealed later: %s", busy)
            except Exception:
                log.exception("transfers were not sealed; they are looked at again")
            if stopping:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(SEAL_SECONDS):
                    await self._stopping.wait()

    def stop(self) -> None:
        self._stopping.set()
