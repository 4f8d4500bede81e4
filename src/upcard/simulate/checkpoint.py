"""A run that was stopped, as one JSON file that is only ever replaced as a whole."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from upcard.refused import Refused
from upcard.simulate.counts import Counts
from upcard.simulate.experiment import Experiment
from upcard.simulate.meters import Meter

FORMAT: Final = 1


@dataclass(slots=True)
class Progress:
    """What whole chunks have brought so far, the state of the meters, and how the mean came
    along: (rounds, sum of main nets, sum over spots' nets squared) now and then."""

    chunks: int
    counts: Counts
    meters: dict[int, Meter]
    path: list[tuple[int, float, float]]


def save(file: Path, made: Experiment, seed: int, progress: Progress) -> None:
    """Raises OSError; the file is then as it was."""
    counts = progress.counts
    document = {
        "format": FORMAT,
        "experiment": made.hash,
        "seed": seed,
        "chunks": progress.chunks,
        "rounds": counts.rounds,
        "nets": {str(net): often for net, often in counts.nets.items()},
        "sums": counts.sums,
        "stakes": counts.stakes,
        "products": counts.products,
        "classes": counts.classes,
        "meters": {str(at): meter.as_dict() for at, meter in progress.meters.items()},
        "path": progress.path,
    }
    write_whole(file, json.dumps(document).encode())


def load(file: Path, made: Experiment, seed: int) -> Progress | None:
    """None if there is no such file. Raises Refused (`field`) and OSError."""
    try:
        document: dict[str, Any] = json.loads(file.read_bytes())
        known = document["format"] == FORMAT
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        raise Refused("field", f"{file}: this is no checkpoint; name a file to make.") from None
    if not known or document["experiment"] != made.hash or document["seed"] != seed:
        raise Refused(
            "field",
            f"{file}: this is a checkpoint of another simulation; go on with the same game, "
            "rules, bets, strategy and seed.",
        )
    counts = made.deal.empty()
    counts.rounds = document["rounds"]
    counts.nets = Counter({int(net): often for net, often in document["nets"].items()})
    for name in ("sums", "stakes", "products", "classes"):
        setattr(counts, name, document[name])
    meters = {int(at): Meter.from_dict(meter) for at, meter in document["meters"].items()}
    path = [(int(rounds), float(mean), float(error)) for rounds, mean, error in document["path"]]
    return Progress(document["chunks"], counts, meters, path)


def write_whole(file: Path, content: bytes) -> None:
    """Write a file beside its place and move it there: it is never half written."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with beside.open("wb") as sink:
            sink.write(content)
            sink.flush()
            os.fsync(sink.fileno())
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
