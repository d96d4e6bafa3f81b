"""Proofs in words: sentences for every step, and what a picture highlights. `checking` decides."""
