"""Runs tests in processes that are born with everything imported but Upcard itself.

A request is a JSON line on stdin: `source` to import Upcard from, `tests`, `env` and the file that
takes the `output`. The answer is a line with pytest's exit code. Importing what the tests stand on
takes longer than most tests, and is the same for all of them.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any, NoReturn

PRELOADED = (
    "apsw",
    "argon2",
    "asyncpg",
    "cryptography.hazmat.primitives.serialization",
    "fastapi",
    "httpx",
    "hypothesis.stateful",
    "orjson",
    "prometheus_client",
    "pydantic",
    "pytest",
)


def main() -> None:
    for name in PRELOADED:
        importlib.import_module(name)
    assert "upcard" not in sys.modules
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(**json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def run(source: str, tests: list[str], env: dict[str, str], output: str) -> NoReturn:
    import pytest

    written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for taken, place in ((nothing, 0), (written, 1), (written, 2)):
        os.dup2(taken, place)
    os.environ.update(env)
    sys.path.insert(0, source)
    options: list[Any] = ["-x", "-q", "-p", "no:cacheprovider", *tests]
    code = pytest.main(options)
    sys.stdout.flush()
    os._exit(int(code))


if __name__ == "__main__":
    main()
