"""Tours measured: turns, angles, crossings, areas, symmetry, magic."""
