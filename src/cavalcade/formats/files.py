"""Reading text files within limits; `ground.storage` writes files."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from io import BufferedReader, BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, Self

from cavalcade.formats import frames
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import CavalcadeError, FormatError, MissingExtraError

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # the byte order marks of files of PowerShell 5
PICTURES = (".png", ".gif", ".pdf", ".jpg", ".jpeg", ".bmp", ".webp", ".tiff")  # pictures that are not text
BLOCK = 2**16  # bytes per call of `read`: limits are checked and lines are answered after each block
ROOM = 8  # bytes of memory per byte of text, for the text, its lines and their words


class Text(str):
    """The text of a file, and where it comes from.

    Attributes:
        source: what error messages call the file.
        stem: the name of the file without directory and ending; empty if there is no file.
    """

    __slots__ = ("source", "stem")
    source: str
    stem: str

    def __new__(cls, text: str, source: str = "the text", stem: str = "") -> Self:
        """Make a text."""
        made = super().__new__(cls, text)
        made.source, made.stem = source, stem
        return made

    def of(self, text: str) -> Text:
        """Another text from the same file."""
        return Text(text, self.source, self.stem)


def read_file(path: str | os.PathLike[str]) -> Text:
    """Read the text of a file, or of standard input for `-`, in blocks.

    Raises:
        FormatError: there is no such file, or it is neither text nor a table that `frames` reads.
        MissingExtraError: a table needs a library of the extra `tables`.
        TooLargeError: the text does not fit into memory.
        TimeoutError: the time limit was reached.
    """
    name = called(path)
    try:
        with nullcontext(standard_input()) if path == "-" else Path(path).open("rb") as file:
            raw = _whole(file, name)
            if kind := frames.kind_of(raw):
                with about(name, None):
                    return Text(frames.as_csv(raw, kind), name, Path(path).stem)
            text = raw.decode("utf-16" if raw.startswith(UTF16) else "utf-8-sig")
    except (CavalcadeError, TimeoutError):
        raise
    except OSError as error:
        if path == "-":
            raise
        raise FormatError(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        if name.lower().endswith(PICTURES):
            raise FormatError(f"{name} is a picture, and pictures are only written") from None
        if raw.startswith(b"\x93NUMPY"):
            advice = "numpy.savetxt writes the matrix of a graph as text, which is read"
            raise FormatError(f"{name} is an array of NumPy, read as a tour alone: {advice}") from None
        raise FormatError(f"{name} is not text: byte {error.start} is not {error.encoding.upper()}") from None
    except ValueError as error:
        raise FormatError(f"cannot read {name!r}: {error}") from None
    if "\0" in text:
        raise FormatError(f"{name} is not text: there are zero bytes in it")
    return Text(text, name, Path(path).stem)


def standard_input() -> IO[bytes]:
    """Standard input as bytes. A stream of characters, to which a host has redirected it, is replaced."""
    if not hasattr(sys.stdin, "buffer"):
        sys.stdin = TextIOWrapper(BufferedReader(BytesIO(sys.stdin.read().encode())), "utf-8")
    return sys.stdin.buffer


def called(path: str | os.PathLike[str]) -> str:
    """What errors call a file."""
    return "standard input" if path == "-" else os.fspath(path)


@contextmanager
def about(source: str, kind: type[CavalcadeError] | None = FormatError) -> Iterator[None]:
    """Prefix errors with the name of the file that they are about.

    Args:
        source: the name.
        kind: the class of the errors that are raised; None keeps the class.
    """
    try:
        yield
    except MissingExtraError:
        raise
    except CavalcadeError as error:
        raise (kind or type(error))(f"{source}: {error}") from None


def _whole(file: IO[bytes], name: str) -> bytes:
    """Return the contents of a file, up to its first block with a zero byte.

    Only texts in UTF-16 and binary tables are read to their end in spite of zero bytes.
    """
    blocks, size = [], 0
    while block := file.read(BLOCK):
        blocks.append(block)
        size += len(block)
        assert_room(ROOM * size, f"the text of {name}")
        assert_time(f"{name} was not read to its end")
        if b"\0" in block and not (blocks[0].startswith(UTF16) or frames.kind_of(blocks[0])):
            break
    return b"".join(blocks)


def blocks_of(file: BufferedReader, name: str) -> Iterator[list[bytes]]:
    """Iterate over the complete lines of a file that are available, without waiting for more from a pipe.

    Raises:
        TooLargeError: a line does not fit into memory.
    """
    begun: list[bytes] = []  # of a line whose end is not yet read
    size = 0
    while data := file.read1(BLOCK):
        size += len(data)
        assert_room(ROOM * size, f"a line of {name}")
        whole, end, rest = data.rpartition(b"\n")
        if end:
            yield b"".join([*begun, whole]).split(b"\n")
            begun, size = [], len(rest)
        begun.append(rest)
    if any(begun):
        yield [b"".join(begun)]
