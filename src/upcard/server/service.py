"""What a house is asked to be: its database, its settings, and how it is served."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter

from upcard.house.rounds import Settings
from upcard.refused import Refused
from upcard.server.logs import Form
from upcard.server.rates import Limits

PORT_MAX = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """How a house is served, besides its own settings.

    Each process counts what its own clients ask (`Limits.among`), and serves figures of its own.
    """

    public_url: str | None = None
    limits: Limits = field(default_factory=Limits)
    log: Form = "text"
    log_requests: bool = False
    metrics_port: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """How a house is to be served; `key` is the file of its key, None for the one beside it."""

    db_url: str
    settings: Settings = field(default_factory=Settings)
    service: Service = field(default_factory=Service)
    key: Path | None = None

    def of_worker(self, n: int, workers: int) -> Asked:
        """The same for one of several processes: its share of the limits, a port for its figures.

        The ports follow each other; port 0, a free one, stays for each. Raises Refused (`address`).
        """
        service = replace(self.service, limits=self.service.limits.among(workers))
        first = service.metrics_port
        if not first:
            return replace(self, service=service)
        if first + n > PORT_MAX:
            raise Refused(
                "address",
                f"Each worker serves its metrics at a port of its own, from {first} on; there is "
                f"none above {PORT_MAX}.",
            )
        return replace(self, service=replace(service, metrics_port=first + n))

    def text(self) -> str:
        """As JSON on one line, for a worker."""
        return _JSON.dump_json(self).decode()

    @classmethod
    def of(cls, text: str) -> Asked:
        """What `text` wrote."""
        return _JSON.validate_json(text)


_JSON = TypeAdapter(Asked)
