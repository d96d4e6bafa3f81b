"""Boards: finite sets of cells, their names, and where they lie. One file a family, or a kind of cells."""

from cavalcade.boards.board import Board

__all__ = ["Board"]
