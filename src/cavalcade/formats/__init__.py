"""Tours as files: written, and read back."""
