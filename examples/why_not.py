"""Ask why there is no tour, and check the proof again from its file."""

import tempfile
from pathlib import Path

import cavalcade

for board, open_ in (("4x10", False), ("3x5", True), ("triangle:7", True), ("8x8-a1,b2", False)):
    verdict = cavalcade.prove(board, open=open_)
    assert isinstance(verdict, cavalcade.Impossible)
    print(verdict.reason, end="\n\n")

assert isinstance(verdict, cavalcade.Impossible)
assert verdict.certificate is not None
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "8x8.proof"
    cavalcade.save(verdict.certificate, file)
    print(cavalcade.verify(cavalcade.read_certificate(file)).message)
