"""A feature that is switched off is missed: the tests of the table would notice.

A few of different kinds here - what is laid, what is paced, what is seen -, all of them with
`--soak`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.features import OFF, switched_off

FEW = (
    "MIN ALL BETS goes by the last deal",
    "no press on new buttons",
    "a win is shown on the felt",
)


@pytest.mark.parametrize("name", OFF if os.environ.get("UPCARD_SOAK") else FEW)
def test_a_feature_that_is_off_is_missed(name: str, tmp_path: Path) -> None:
    switched_off(OFF[name], tmp_path)
