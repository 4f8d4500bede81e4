"""The machine code of the kernel, kept on disk: who finds it there needs no compiler.

numba makes it in half a minute. It would also keep it, but to fetch it again numba has to be
imported and to learn all its types anew, which is most of a second. So every entry of the kernel is
kept here as the object file that it is, named by a hash of all that it was made of, and given to
LLVM alone.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from llvmlite import binding  # type: ignore[import-untyped]

Entry = Literal["play_drawing", "play_three", "follow"]
SOURCES: Final = ("kernel.py", "records.py")
"""All that the machine code is made of."""

_making = threading.Lock()


def call(entry: Entry, *arguments: Any) -> int:
    """Call compiled code, beside other threads. Records and arrays are given by where they are."""
    with _making:
        function = _function(entry)
    return function(*(_as_word(argument) for argument in arguments))


def _as_word(argument: Any) -> int:
    if isinstance(argument, np.void):
        assert not argument.flags.owndata, "a record that lies nowhere; see records.in_place"
        argument = np.asarray(argument)
    if isinstance(argument, np.ndarray):
        assert argument.flags.c_contiguous
        return argument.ctypes.data
    return int(argument)


@cache
def _function(entry: Entry) -> Callable[..., int]:
    address = _address(*_kept_or_made(entry))

    def call_with(*words: int) -> int:
        # As numba calls: first where to put the result and an error, which there is none of.
        found, error = ctypes.c_int64(), ctypes.c_void_p()
        # Numbers and pointers go the same way, so that all may be numbers.
        takes = (ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_void_p))
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, *takes, *(ctypes.c_int64,) * len(words))
        status = kind(address)(found, error, *words)
        assert status == 0, f"{entry} gave {status}"
        return found.value

    return call_with


@cache
def _engine() -> Any:
    """LLVM's loader for this processor. It lives as long as the process, as does what it loads."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple().create_target_machine(jit=True)
    return binding.create_mcjit_compiler(binding.parse_assembly(""), target)


def _address(symbol: str, code: bytes) -> int:
    _engine().add_object_file(binding.ObjectFileRef.from_data(code))
    _engine().finalize_object()
    address: int = _engine().get_function_address(symbol)
    assert address, f"no {symbol} in its object file"
    return address


# On disk


def _kept_or_made(entry: Entry) -> tuple[str, bytes]:
    """An entry's symbol and object file."""
    name = f"kernel-{entry}-{_made_of()}.o"
    for place in _places():
        found = _read(place / name)
        if found is not None:
            return found
    from upcard.simulate import kernel

    made = kernel.object_code(entry)
    for place in _places():
        if _write(place / name, *made):
            break
    return made


@cache
def _made_of() -> str:
    """A hash of the source, the compiler and the processor."""
    made_of = hashlib.sha256()
    for name in SOURCES:
        made_of.update(Path(__file__).with_name(name).read_bytes())
    features = binding.get_host_cpu_features().flatten()
    words = (version("numba"), version("llvmlite"), np.__version__, binding.get_host_cpu_name())
    made_of.update("\n".join((*words, features, sys.version)).encode())
    return made_of.hexdigest()[:32]


def _places() -> Iterator[Path]:
    """Where compiled code may be kept: beside the source, or with what the user's programs keep."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        yield Path(chosen)
    yield Path(__file__).with_name("__pycache__")
    kept = os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # nobody's home
        yield (Path(kept) if kept else Path.home() / ".cache") / "upcard"


def _read(path: Path) -> tuple[str, bytes] | None:
    """What `_write` wrote, unless it is not whole."""
    try:
        digest, _, kept = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if hashlib.sha256(kept).hexdigest().encode() != digest:
        return None
    symbol, _, code = kept.partition(b"\n")
    return symbol.decode(), code


def _write(path: Path, symbol: str, code: bytes) -> bool:
    """Write a file that is there whole or not at all; whether there is a place for it."""
    kept = b"%s\n%s" % (symbol.encode(), code)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(b"%s\n%s" % (hashlib.sha256(kept).hexdigest().encode(), kept))
        Path(file.name).replace(path)
    except OSError:
        return False
    return True
