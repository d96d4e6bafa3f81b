"""Puzzles: making, solving and grading numbered tours, and texts along tours."""
