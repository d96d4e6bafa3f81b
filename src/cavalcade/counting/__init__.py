"""Engines that count tours. Their input is a move graph without geometry."""
