"""Boards: finite sets of cells, their names, and where they lie. One file a family of shapes."""

from cavalcade.boards.board import Board

__all__ = ["Board"]
