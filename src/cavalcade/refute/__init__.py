"""Engines that look for a reason why there is no tour."""
