"""`kernel`, which is imported when something of it is first called.

To import it takes a third of a second, for numba comes with it; and much is known without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from upcard.maths import kernel as kernel
else:

    class _Kernel:
        def __getattr__(self, name: str) -> Any:
            from upcard.maths import kernel

            return getattr(kernel, name)

    kernel = _Kernel()
