"""Engines are asked in turn, and each answer is checked before it is shown."""
