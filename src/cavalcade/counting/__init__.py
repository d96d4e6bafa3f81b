"""Engines that count. They see a move graph and nothing else."""
