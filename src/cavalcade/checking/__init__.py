"""The checks of answers. They trust nobody: they share no code with what they check."""
