"""Shared foundations: errors, budgets, threads, kernels. No other part of the package is imported here."""

__version__ = "0.2.0"
