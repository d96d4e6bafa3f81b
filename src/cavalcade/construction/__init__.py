"""Tours of any size, built instead of searched."""
