"""Answers of the engines as plain data: tours, certificates, verdicts, counts, receipts and puzzles."""
