"""Engines that look for a tour. They see a move graph and nothing else."""
