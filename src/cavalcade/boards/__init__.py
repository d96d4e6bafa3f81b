"""Boards: finite sets of cells with names and coordinates. Each family of shapes has its own file."""

from cavalcade.boards.board import Board

__all__ = ["Board"]
