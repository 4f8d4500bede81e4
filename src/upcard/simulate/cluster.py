"""Chunks on a Dask cluster (`upcard[cluster]`): the same chunks, wherever they are played.

A chunk is a pure function of its arguments, so Dask plays one again when the worker that had it
dies. The arrays go to the cluster as a task of their own: what is lost with a worker is made again.
"""

from __future__ import annotations

import logging
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Final, cast

from upcard.refused import Refused
from upcard.simulate.counts import Counts
from upcard.simulate.experiment import Deal, play_chunk

CONNECT_SECONDS: Final = 5
RETRIES: Final = 5
"""How often a chunk is played again whose worker died."""
NO_ANSWER: Final = "is no Dask scheduler that answers; start one with `dask scheduler`"


def same(deal: Deal) -> Deal:
    """The arrays as a task's result, which chunks share."""
    return deal


class Share:
    """A chunk on the cluster."""

    def __init__(self, future: Any, address: str) -> None:
        self.future, self.address = future, address

    def result(self) -> Counts:
        """Raises Refused (`field`) if the cluster is gone."""
        try:
            return cast(Counts, self.future.result())
        except (CancelledError, OSError) as error:
            raise Refused("field", f"--scheduler {self.address}: lost, {error}.") from None

    def cancel(self) -> None:
        self.future.cancel()


class Cluster(AbstractContextManager["Cluster"]):
    """The workers of a scheduler. Raises Refused (`field`) if it does not answer."""

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ModuleNotFoundError:
            raise Refused(
                "field", "--scheduler needs the extra `cluster`: pip install 'upcard[cluster]'."
            ) from None
        # Lost connections are told by our own sentences.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self.address = address
        try:
            connect: Any = distributed.Client
            self.client: Any = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError):
            raise Refused("field", f"--scheduler {address} {NO_ANSWER}.") from None
        threads = self.client.nthreads()
        if not threads:
            self.client.close()
            raise Refused(
                "field",
                f"--scheduler {address} has no workers; start one with `dask worker {address}`.",
            )
        self.count = sum(threads.values())
        self.deals: dict[int, tuple[Deal, Any]] = {}

    def submit(self, deal: Deal, seed: int, chunk: int, rounds: int) -> Share:
        if id(deal) not in self.deals:
            shared = self.client.submit(same, deal, pure=False, retries=RETRIES)
            self.deals[id(deal)] = (deal, shared)
        shared = self.deals[id(deal)][1]
        future = self.client.submit(
            play_chunk, shared, seed, chunk, rounds, pure=False, retries=RETRIES
        )
        return Share(future, self.address)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.deals.clear()
        self.client.close()
