"""What graph6, sparse6 and digraph6 have in common: numbers of six bits, each written as a character.

A character from `?` to `~` stands for its code less 63. A graph begins with its number of vertices n: one
character up to 62; `~` and three up to 258,047; `~~` and six up to 68,719,476,735. Bits follow, six a
character, the highest one first. The source is B. D. McKay, Description of graph6, sparse6 and digraph6
encodings, which comes with nauty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bits = NDArray[np.uint8]

CHARACTER = "[?-~]"
LARGEST = 2**36 - 1  # vertices


def sixes(text: str) -> Bits:
    """The numbers of six bits that a text stands for.

    Raises:
        FormatError: a character stands for none.
    """
    data = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
    if data.size and not (data.min() >= 63 and data.max() <= 126):
        odd = next(sign for sign in text if not "?" <= sign <= "~")
        raise FormatError(f"{odd!r} is not a character of it, expected those from '?' to '~'")
    return data - np.uint8(63)


def size_first(numbers: Bits) -> tuple[int, Bits]:
    """The number of vertices, and the numbers after it.

    Raises:
        FormatError: there is none, or it is 0.
    """
    skip = 2 if (numbers[:2] == 63).all() and len(numbers) > 1 else int(bool((numbers[:1] == 63).any()))
    digits = (1, 3, 6)[skip]
    if len(numbers) < skip + digits:
        raise FormatError("it ends in its number of vertices")
    n = 0
    for number in numbers[skip : skip + digits].tolist():
        n = 64 * n + number
    if not n:
        raise FormatError("it has no vertex, expected at least one")
    return n, numbers[skip + digits :]


def size_written(n: int) -> str:
    """The characters for a number of vertices."""
    if n > LARGEST:
        raise FormatError(f"{n:,} vertices are too many for it, expected {LARGEST:,} at most")
    lead, digits = ("", 1) if n < 63 else ("~", 3) if n <= 258_047 else ("~~", 6)
    return lead + "".join(chr(63 + (n >> 6 * i & 63)) for i in reversed(range(digits)))


def bits_of(numbers: Bits, most: int, least: int | None = None) -> Bits:
    """The bits of these numbers, `most` of them at most.

    Raises:
        FormatError: with `least`, the numbers are not as many as that many bits take.
    """
    if least is not None and len(numbers) != -(-least // 6):
        raise FormatError(
            f"{len(numbers):,} characters after the number of vertices, expected {-(-least // 6):,}"
        )
    return np.unpackbits(numbers[:, None], axis=1)[:, 2:].ravel()[:most]


def written(bits: Bits, fill: int = 0) -> str:
    """The characters for bits; the last one is filled up."""
    whole = np.full(-(-len(bits) // 6) * 6, fill, dtype=np.uint8)
    whole[: len(bits)] = bits
    return (
        (np.packbits(whole.reshape(-1, 6), axis=1)[:, 0] // 4 + 63).astype(np.uint8).tobytes().decode("ascii")
    )
