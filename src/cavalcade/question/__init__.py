"""What is asked: pieces, move graphs, symmetries, constraints, and the whole question."""
