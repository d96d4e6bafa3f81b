"""Engines that search for a tour. They read nothing but a move graph."""
