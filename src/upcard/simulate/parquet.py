"""One row a chunk as a Parquet file (`upcard[parquet]`), moved to its place when it is whole."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from upcard.refused import Refused
from upcard.simulate.counts import Counts
from upcard.simulate.result import Table

ROWS: Final = 1024
"""Rows that are kept before they are written."""


class Parquet(AbstractContextManager["Parquet"]):
    """Chunks as rows: chunk, rounds, and for each spot and bet stake, net and sum of squared nets,
    in cents. Raises Refused (`field`) without its library, and OSError."""

    def __init__(self, file: Path, bets: list[str]) -> None:
        try:
            import pyarrow  # type: ignore[import-untyped]
            import pyarrow.parquet  # type: ignore[import-untyped]
        except ModuleNotFoundError:
            raise Refused(
                "field", "--parquet needs the extra `parquet`: pip install 'upcard[parquet]'."
            ) from None
        self.arrow: Any = pyarrow
        self.file, self.bets = file, bets
        self.beside = file.with_name(f".{file.name}.{os.getpid()}")
        self.rows: Table = {}
        self.writer: Any = None
        # What cannot be written is found out before anything is played.
        self.sink = self.beside.open("wb")

    def keep(self, chunk: int, counts: Counts) -> None:
        row = {"chunk": chunk, "rounds": counts.rounds}
        for column in range(counts.columns):
            spot, bet = divmod(column, len(self.bets))
            name = f"{spot + 1}_{self.bets[bet]}"
            row[f"{name}_stake"] = counts.stakes[column]
            row[f"{name}_net"] = counts.sums[column]
            row[f"{name}_net_squared"] = counts.products[column][column]
        for name, value in row.items():
            self.rows.setdefault(name, []).append(value)
        if len(self.rows["chunk"]) >= ROWS:
            self._write()

    def _write(self) -> None:
        if not self.rows:
            return
        table = self.arrow.table(self.rows)
        if self.writer is None:
            self.writer = self.arrow.parquet.ParquetWriter(self.sink, table.schema)
        self.writer.write_table(table)
        self.rows = {}

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._write()
            if self.writer is not None:
                self.writer.close()
            self.sink.close()
            if kind is None and self.writer is not None:
                self.beside.replace(self.file)
        finally:
            self.beside.unlink(missing_ok=True)
