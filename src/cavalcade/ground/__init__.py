"""Shared foundations: errors, budgets, threads, kernels. No other part of the package is imported here."""

__version__ = "0.2.0"

TEXT_WIDTH = 100  # columns of text, unless a terminal is narrower: longer lines are hard to read
