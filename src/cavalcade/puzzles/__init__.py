"""Puzzles on tours: made, graded and solved."""
