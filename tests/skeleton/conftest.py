from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.skeleton.scratch import PYTHON, Checkout, checkout


@pytest.fixture
def bare(tmp_path: Path) -> Checkout:
    """A fresh checkout on a machine with neither Python nor uv."""
    return checkout(tmp_path)


@pytest.fixture(scope="session")
def uv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program uv: this machine's, or one got for the occasion."""
    if found := shutil.which("uv"):
        return Path(found)
    venv = tmp_path_factory.mktemp("uv")
    subprocess.run([PYTHON, "-m", "venv", venv], check=True)
    subprocess.run([venv / "bin/python", "-m", "pip", "install", "--quiet", "uv"], check=True)
    return venv / "bin/uv"


@pytest.fixture
def with_pip(bare: Checkout) -> Checkout:
    """A fresh checkout on a machine with Python alone."""
    if find_spec("ensurepip") is None:
        pytest.skip("this Python has no venv of its own")
    bare.link("python3", PYTHON)
    return bare


@pytest.fixture
def with_uv(bare: Checkout, uv: Path) -> Checkout:
    """A fresh checkout on a machine with Python and uv."""
    bare.link("python3", PYTHON)
    bare.link("uv", uv)
    return bare
