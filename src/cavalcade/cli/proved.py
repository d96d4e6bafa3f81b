"""The checker that Coq proves correct, an external program: where it is, and its verdict."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.ground.budget import seconds_left
from cavalcade.ground.errors import FormatError
from cavalcade.ground.storage import temporary_directory, write_file

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate

VARIABLE = "CAVALCADE_VERIFY"  # the environment variable that names the program
BUILT = Path(__file__).parents[3] / "out/formal/verify"  # where `make formal` builds it in a checkout
INSTALLED = "cavalcade-verify"  # its name on PATH
NOT_HERE = (
    "it is not here: build it by `make formal` in a checkout, or name it in "
    f"{VARIABLE}, or put it on PATH as {INSTALLED}"
)


def program() -> str | None:
    """Find the program: named by the variable, built in this checkout, or on PATH."""
    return os.environ.get(VARIABLE) or (str(BUILT) if BUILT.exists() else shutil.which(INSTALLED))


def asked(certificate: Certificate) -> tuple[int, str]:
    """Return the verdict of the proved checker on a certificate: an exit code and a line of text.

    Raises:
        FormatError: the program cannot be run.
        TimeoutError: the time limit is reached.
    """
    verify = program()
    if verify is None:
        return ExitCode.UNDECIDED, NOT_HERE
    try:
        text = cavalcade.write(certificate, "plain")
    except FormatError as error:
        return ExitCode.UNDECIDED, str(error)
    with temporary_directory() as directory:
        path = directory / "proof.plain"
        write_file(path, text)
        remaining = seconds_left()
        try:
            done = subprocess.run(  # noqa: S603 - the program that the user built or named
                [verify, path],
                check=False,
                capture_output=True,
                text=True,
                timeout=None if remaining == math.inf else max(remaining, 0),
            )
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{verify} gave no answer") from None
        except OSError as error:
            raise FormatError(f"cannot run {verify}: {error.strerror}") from None
    code = done.returncode if done.returncode in {ExitCode.FOUND, ExitCode.IMPOSSIBLE} else ExitCode.UNDECIDED
    return code, done.stdout.strip() or f"{verify} ended with exit code {done.returncode}"
