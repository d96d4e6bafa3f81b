"""The errors cavalcade raises. Each message is one line: what was given, what was expected."""


class CavalcadeError(ValueError):
    """Bad input. The base class of all errors here."""


class BoardError(CavalcadeError):
    """A spec, sides or a file that do not describe a board."""


class PieceError(CavalcadeError):
    """A spec that does not describe a piece, or a piece that does not fit its board."""


class CellError(CavalcadeError):
    """A name or a number that is not a cell of the board."""


class GraphError(CavalcadeError):
    """Arrays, edges or a file that do not describe a simple undirected graph."""


class FormatError(CavalcadeError):
    """A file that cannot be read or written, or an unknown format."""


class TooLargeError(CavalcadeError):
    """A board that does not fit into this machine's memory."""


class MissingExtraError(CavalcadeError, ImportError):
    """An optional library is not installed; the message names the extra that installs it.

    Args:
        library: what is missing.
        extra: the extra of `pyproject.toml` that has it.
        otherwise: how the message goes on.
    """

    def __init__(self, library: str, extra: str, otherwise: str = "") -> None:
        install = f"pip install 'cavalcade[{extra}]', or in a clone pip install '.[{extra}]'"
        super().__init__(f"{library} is not installed; {install}{otherwise}")
