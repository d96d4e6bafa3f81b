"""What the files that cavalcade writes for itself have in common: receipts, shards, rows, checkpoints.

Each states what it is about (`question.statement`), its version, and a *seal*: the SHA-256 of everything else
in it. Readers compare all three before they use a number. A seal shows damage and mixed files. It does not
show forgery, because anyone can compute it; so `check` counts again.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.ground.errors import FormatError


class Container(NamedTuple):
    """A kind of file.

    Attributes:
        kind: its name, for error messages.
        version: version of its contents; files of other versions are refused.
        advice: what to do instead of reading a file that is refused.
    """

    kind: str
    version: int
    advice: str

    def seal(self, *parts: str | memoryview) -> str:
        """Return the seal of some contents: a digest of 64 hexadecimal digits."""
        from hashlib import sha256  # loads OpenSSL

        digest = sha256(f"{self.kind} {self.version}".encode())
        for part in parts:
            data = memoryview(part.encode()) if isinstance(part, str) else part
            digest.update(f" {data.nbytes} ".encode())  # the lengths keep neighbouring parts apart
            digest.update(data)
        return digest.hexdigest()

    def assert_version(self, source: str, version: object) -> None:
        """Refuse a file of another version."""
        if version != self.version:
            message = f"{source} is a {self.kind} of version {version!s:.20}"
            raise FormatError(f"{message}, expected {self.version}: {self.advice}")

    def assert_sealed(self, source: str, seal: object, *parts: str | memoryview) -> None:
        """Refuse a file whose seal does not fit its contents."""
        if seal != self.seal(*parts):
            why = "is damaged or was edited, its seal does not fit its contents"
            raise FormatError(f"{source} {why}: {self.advice}")


CHECKPOINT = Container("checkpoint", 7, "remove it, or name another file")
RECEIPT = Container("receipt", 2, "count again")
SURVEY = Container("survey", 3, "remove this file, and resume the survey to answer its questions again")
