"""Commands end within their limits: a cheap part of `tools/limit_matrix.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "tools"))

import limit_matrix

# Bytes that the interpreter, the libraries and the compiled kernels take: `tools/limit_matrix.py` measured
# 176 MB.
INTERPRETER = 200_000_000


@pytest.mark.parametrize("line", ["tour 50x50 --from a1 --at 100=e4", "decompose torus:400x401"])
def test_a_command_ends_within_both_limits(line: str) -> None:
    """These two took 11.9 s and 32.9 s, of 2 s and 20 s."""
    ended = limit_matrix.ended(f"{line} --time-limit 1 --memory 200M")
    assert not limit_matrix.is_late(ended, 1.0)
    assert not limit_matrix.is_above(ended, 200_000_000, INTERPRETER)
    assert ended.code in {0, 3}


def test_memory_is_a_promise() -> None:
    """The symmetries of a million cells take more than 310 MB."""
    ended = limit_matrix.ended("symmetries 1000x1000 --memory 20M")
    assert not limit_matrix.is_above(ended, 20_000_000, INTERPRETER)
    assert ended.code == 3


@pytest.mark.slow
def test_every_command_ends_within_its_limits() -> None:
    assert limit_matrix.measured(list(limit_matrix.LINES)) == []


def test_what_is_late_or_above() -> None:
    ended = limit_matrix.Ended(seconds=4.0, compiling=1.0, waiting=0.6, peak=500, code=3)
    assert [limit_matrix.is_late(ended, limit) for limit in (1.8, 2.0)] == [True, False]
    assert [limit_matrix.is_above(ended, limit, 260) for limit in (199, 200)] == [True, False]
    assert limit_matrix.is_late(ended._replace(code=-9), 100)
