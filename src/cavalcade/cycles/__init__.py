"""Disjoint cycles, given by two neighbours for each vertex: label, walk, orient and exchange."""
