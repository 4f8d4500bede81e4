"""Writing a file that is not there yet."""

from __future__ import annotations

import os

from upcard.refused import Refused


def write_new(path: str, text: str) -> None:
    """Raises Refused (`field`) if the file is there already or cannot be written whole."""
    path = os.path.expanduser(path)
    try:
        with open(path, "x", encoding="utf-8") as file:
            try:
                file.write(text)
                file.flush()
            except OSError:
                os.unlink(path)
                raise
    except FileExistsError:
        raise Refused("field", f"{path!a} is there already; give a new name.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Refused("field", f"{path!a} cannot be written: {why}.") from None
