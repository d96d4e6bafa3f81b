"""The size of the memory, so that a board that is too large is refused at once."""

from __future__ import annotations

import os
from pathlib import Path

from cavalcade.errors import TooLargeError

LIMIT_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def machine_memory() -> int:
    """The bytes of memory of this machine, or of its container if that is less.

    A terabyte if neither is known.
    """
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        memory = 2**40
    for name in LIMIT_FILES:
        try:
            text = Path(name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdigit():
            memory = min(memory, int(text))
    return memory


def assert_room(needed: int, what: str) -> None:
    """Refuse work that needs more memory than there is.

    Args:
        needed: bytes.
        what: the subject of the sentence, as "the move graph of 9x9".

    Raises:
        TooLargeError: it does not fit.
    """
    if needed > machine_memory():
        has = f"this machine has {machine_memory() / 1e9:,.0f} GB"
        raise TooLargeError(f"{what} needs about {needed / 1e9:,.0f} GB, {has}")
