"""What the tests of the rules share."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def unmeasured() -> Iterator[None]:
    """No coverage is measured: for tests that play very many rounds, at twice the speed.

    (pytest-cov's mark `no_cover` does nothing in the workers of pytest-xdist.)
    """
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)
