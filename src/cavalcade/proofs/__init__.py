"""Proofs that there is no tour: found, told, and checked."""
