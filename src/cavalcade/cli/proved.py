"""The checker that Coq proves right, a program beside this one: where it is, and what it says."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import cavalcade
from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.ground.budget import seconds_left
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate

NAMED = "CAVALCADE_VERIFY"  # the variable
BUILT = Path(__file__).parents[3] / "out/formal/verify"  # in a checkout
INSTALLED = "cavalcade-verify"  # on PATH
NOT_HERE = (
    f"it is not here: build it by `make formal` in a checkout, or name it in {NAMED}, or put it on PATH as "
    f"{INSTALLED}"
)


def program() -> str | None:
    """The program: the one that the variable names, or that of this checkout, or the one on PATH."""
    return os.environ.get(NAMED) or (str(BUILT) if BUILT.exists() else shutil.which(INSTALLED))


def asked(certificate: Certificate) -> tuple[int, str]:
    """The proved checker's verdict on a certificate: an exit code of ours, and a line.

    Raises:
        FormatError: the program cannot be run.
        TimeoutError: it takes longer than is left.
    """
    verify = program()
    if verify is None:
        return UNDECIDED, NOT_HERE
    try:
        text = cavalcade.write(certificate, "plain")
    except FormatError as error:
        return UNDECIDED, str(error)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "proof.plain")
        path.write_text(text, encoding="utf-8")
        left = seconds_left()
        try:
            done = subprocess.run(  # noqa: S603 - the program that the user built or named
                [verify, path],
                check=False,
                capture_output=True,
                text=True,
                timeout=None if left == math.inf else max(left, 0),
            )
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{verify} gave no answer") from None
        except OSError as error:
            raise FormatError(f"cannot run {verify}: {error.strerror}") from None
    code = done.returncode if done.returncode in {FOUND, IMPOSSIBLE} else UNDECIDED
    return code, done.stdout.strip() or f"{verify} ended with exit code {done.returncode}"
