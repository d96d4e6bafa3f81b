"""Other spellings of commands and options: accepted if they are unambiguous, else answered with a suggestion.

Other spellings of boards and pieces are in `boards.notation` and `question.pieces`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from cavalcade.cli.status import remark
from cavalcade.formats.table import format_of, names_of
from cavalcade.ground import TEXT_WIDTH
from cavalcade.question.words import LIMITS, ROWS, key_of, spelling_of

# other names of commands
COMMANDS = {
    "find": "tour", "search": "tour", "hamiltonian": "tour", "refute": "prove", "disprove": "prove",
    "why": "prove", "enumerate": "list", "random": "sample", "plot": "draw", "render": "draw",
    "picture": "draw", "show": "draw", "verify": "check", "validate": "check",
    "rösselsprung": "roesselsprung", "statistics": "measure", "stats": "measure", "gui": "studio",
    "symmetry": "symmetries", "theorems": "theorem", "sequence": "count", "finish": "continue",
    "proof": "prove", "hamilton": "tour", "print": "draw", "papers": "reproduce",
    "oeis": "count", "horse": "tour",
    "explain": "prove", "cycle": "tour", "circuit": "tour", "path": "tour", "recurrence": "count",
    "automorphisms": "symmetries", "play": "studio", "game": "studio",
    "app": "studio", "knight": "tour", "springer": "tour",
}  # fmt: skip
# other names of options, for commands that lack the first name and have the second
OPTIONS = {
    f"--{alias.replace('_', '-')}": spelling_of(name)
    for name, row in (ROWS | LIMITS).items()
    for alias in (key_of(name), *row.aliases)
} | {
    f"--{opposite}": row.option.partition("/")[2] for row in ROWS.values() for opposite in row.opposites
} | {
    "--to": "--format", "--terms": "--upto", "--b-file": "--bfile", "--out": "--output",
    "--color": "--colour", "--remove": "--without", "--holes": "--without", "--silent": "--quiet",
    "--count": "--number", "--threads": "--workers",
    "--jobs": "--workers", "--side-by-side": "--beside", "--animated": "--animate", "--mend": "--fix",
    "--clues": "--given", "--hints": "--given", "--minimal": "--fewest", "--answer-key": "--solution",
    "--answers": "--solution", "--undirected": "--no-directed", "--mod": "--modulo",
    "--offen": "--open", "--figur": "--piece",
    "--source": "--from", "--target": "--to", "--obstacles": "--without", "--samples": "--number",
    "--n": "--number", "-p": "--piece",
}  # fmt: skip
# options that mean another option if their value is a number: the other meaning has no number
COUNTS = {"--numbers": "--given", "--first": "--number"}
# options for the default behaviour, which are ignored: (command, option)
USUAL = {
    ("solve", "--solution"), ("solve", "--unique"), ("puzzle", "--unique"),
    ("prove", "--proof"), ("prove", "--why"), ("prove", "--explain"),
    ("count", "--recurrence"), ("count", "--gf"), ("count", "--generating-function"),
    ("count", "--verbose"), ("draw", "--grid"), ("draw", "--board-only"), ("solve", "--count"),
    ("prove", "--certificate"), ("sample", "--uniform"), ("draw", "--blank"),
}  # fmt: skip
# former flags of `tour` that are commands today: the words that replace each, and whether it has a value
ONCE = {
    "--continue": (["continue"], True), "--fewest": (["fewest"], True), "--summary": (["optgraph"], False),
    "--fewest-turns": (["fewest", "turns"], False), "--fewest-crossings": (["fewest", "crossings"], False),
}  # fmt: skip
# other words for the topics of `cavalcade help`
TOPIC_NAMES = {
    "board": "boards", "boards": "boards", "graphs": "boards", "shapes": "boards", "cells": "boards",
    "piece": "pieces", "pieces": "pieces", "leapers": "pieces", "symmetries": "symmetries",
    "symmetry": "symmetries", "format": "formats", "formats": "formats", "files": "formats",
    "endings": "formats",
}  # fmt: skip
# What words mean, as a command, an option or an argument: what to try instead. Options that the command has
# come first, then commands, then a sentence.
ONE_PROCESS = "a search uses one process; cavalcade survey --workers N asks about several boards at a time"
WALK = "the walk is a file, or - as in echo a1 b3 | cavalcade continue - 8x8"
COMPLETION = 'for bash, try eval "$(_CAVALCADE_COMPLETE=bash_source cavalcade)"; also zsh and fish'
MEANT: dict[str, tuple[str, ...]] = {
    "all every each exhaustive": ("--most", "list"),
    "solution solutions answer answers key": ("--solution", "--most", "--number", "solve", "list"),
    "max": ("--upto", "--number", "--longest", "--time-limit"),
    "maximal most longest length partial": ("--longest", "--maximize", "best"),
    "count how-many total amount quantity": ("--number", "--count", "count"),
    "limit stop": ("--time-limit", "--number"),
    "step steps moves-list": ("--at", "trace"),
    "time max-time seconds duration wait fast quick": ("--time-limit",),
    "ram mem": ("--memory",),
    "memory": ("--memory", "every command has a limit, such as --memory 4G"),
    "json jsonl ndjson yaml xml": ("--format json", "--json", "convert"),
    "file save to-file write outfile out-file export store dump": ("--output", "convert"),
    ("random-graph input in infile stdin edges edge-list graph vertices nodes network data"): (
        ("the argument is the graph: try cavalcade tour FILE; cavalcade help boards lists graphs by name"),
    ),
    ("poster wallpaper image picture plot show display view color-map print"): (
        "--output tour.svg",
        "draw",
    ),
    ("html page web webpage website app api serve server gui browser interactive play game edit"): (
        "studio",
    ),
    "animate animated animation video movie film mp4 gif": (
        "--animate",
        "--output tour.gif",
        "an animation is a file: try cavalcade tour 8x8 -o tour.gif",
    ),
    "3d stl print-3d mesh model obj cad": ("try cavalcade tour 8x8 -o tour.stl or -o tour.glb",),
    "plotter gcode hpgl dxf laser cnc pen vector": (
        "a plotter reads SVG: try cavalcade tour 8x8 -o tour.svg",
    ),
    "width height size scale zoom dpi resolution cell-size px pixels": ("--size", "help boards"),
    ("rows columns cols rows-and-columns board shape dimensions dimension sides squares"): ("help boards",),
    ("torus cylinder moebius mobius klein hex hexagon hexagonal circle ring wrap toroidal cube sphere"): (
        "help boards",
    ),
    (
        "ascii unicode thick round frame border theme dark light style look skin smooth curve "
        "curved line lines stroke thickness"
    ): ("--style", "--thin", "draw"),
    ("color colors colour colours palette rainbow gradient cmap colormap hue"): (
        "--colour",
        "--style",
        "draw",
    ),
    "no-grid grid transparent background bg": ("--ground", "draw"),
    "coordinates label labels coordinates-shown axis axes": ("--labels", "draw"),
    "blank empty board-only": ("--empty", "draw"),
    "knight horse": ("--piece knight",),
    "camel": ("--piece camel",),
    "zebra": ("--piece zebra",),
    "giraffe": ("--piece giraffe",),
    "antelope": ("--piece antelope",),
    "king": ("--piece king",),
    "leaper jump leap chessman": (
        "--piece",
        "a piece is written as in cavalcade tour 9x9 --piece zebra or 1,4",
    ),
    ("shortest weights cost cheapest minimum-weight travelling salesman"): (
        "--columns",
        "tsp",
    ),
    "weighted heaviest lightest": ("--weighted", "tsp"),
    "weight distance": ("--columns", "tsp"),
    "random shuffle randomize": ("--seed", "sample"),
    (
        "uniform estimate estimation approximate approx approximation monte-carlo confidence expected average"
    ): (
        "sample",
        "measure",
        "there are no estimates: cavalcade count is exact and cavalcade sample is uniform",
    ),
    "rotate rotation": ("--symmetry", "--from"),
    "mirror reflect flip": ("--symmetry",),
    ("symmetric symmetrical rotational symmetry-group automorphism automorphisms group"): (
        "--symmetry",
        "symmetries",
    ),
    (
        "orbit orbits both-directions unique up-to-symmetry up-to inequivalent nonequivalent "
        "distinct essentially-different nonisomorphic isomorphism canonical fundamental "
        "geometrically"
    ): ("--symmetry", "count --symmetry"),
    (
        "explain explanation reason certificate unsat proof impossible possible exists "
        "existence parity is can solvable"
    ): ("--proof", "prove"),
    "heuristic": ("--engine", "warnsdorff"),
    "warnsdorf warnsdorff-rule": ("--engine", "warnsdorff"),
    "backtrack backtracking brute-force bruteforce dfs": ("--engine", "list"),
    "sat algorithm solver method engine": ("--engine", "--method", "--twice", "prove --engine sat"),
    "verify validate check test": ("check",),
    ("statistic statistics stat stats metrics analyze analyse analysis property properties"): (
        "--measure",
        "measure",
    ),
    "histogram": ("--histogram", "--by", "draw --histogram"),
    "distribution by spread frequency frequencies group-by": ("--by", "count --by", "survey --by"),
    "type genre variant": ("--kind",),
    "hidato": ("--kind hidato",),
    "numbrix": ("--kind numbrix",),
    "slitherlink masyu sudoku arrows maze": ("puzzle --kind hidato",),
    "letter": ("--paper letter",),
    "a4": ("--paper a4",),
    "paper-size landscape portrait": ("--paper",),
    "latex tex tikz": ("--format tikz",),
    "boards family families range": ("help boards", "help survey"),
    ("hole holes wall walls exclude excluded remove removed missing delete blocked obstacles"): (
        "--without",
        "--avoid",
    ),
    "pass visit via waypoint": ("--through",),
    "through-cells": ("--through",),
    "fix must-use include require required use fixed": ("--with", "--at"),
    "start begin first origin source": ("--from",),
    "end finish last destination target": ("--to",),
    "reentrant re-entrant cycle circuit loop hamiltonian-cycle": ("--closed", "tour"),
    "path hamiltonian-path": ("--open", "tour --open"),
    "magic semimagic semi-magic": ("magic",),
    "crossing crossings": ("--measure", "fewest crossings"),
    "turn turns": ("--by turns", "fewest turns"),
    "angle angles": ("--by angles", "fewest right"),
    "straight bends": ("fewest turns",),
    "non-crossing non-intersecting self-avoiding uncrossing": ("uncrossed",),
    ("simple simpler hardness grade grading rate rating difficulty easy medium hard level"): (
        "the levels of a puzzle are --level easy, medium, hard and very-hard",
    ),
    "hint hints clue clues givens": ("--given", "studio"),
    "min-clues minimum-clues minimum minimal fewest-clues": ("--fewest", "fewest"),
    ("students pupils children persons pages sheets copies worksheet-count"): ("--number",),
    "v progress log debug trace status": (
        "--verbose",
        "a status line on the terminal shows the progress",
    ),
    "handout lesson worksheet worksheets class classroom exercise": (
        "try cavalcade puzzle 6x6 -n 12 --level easy -o class.pdf",
    ),
    ("thread threads worker workers job jobs j core cores cpu cpus parallel processes gpu"): (
        "--workers",
        ONE_PROCESS,
    ),
    "lang language locale german deutsch": (
        "the commands write English; the page of cavalcade studio has German and Spanish, too",
    ),
    "euclidean points cities xy": (
        "--columns",
        "for points, write a TSPLIB file with NODE_COORD_SECTION",
    ),
    "metric": ("for points, write a TSPLIB file with NODE_COORD_SECTION",),
    "walk moves": (WALK,),
    "completion completions install-completion autocomplete": (COMPLETION,),
    "generate create make new build": ("tour", "puzzle"),
    "mean median variance deviation quantile": ("measure",),
    "best-move next-move": ("continue",),
    "example examples beispiel demo": ("try cavalcade tour 8x8, cavalcade prove 4x4 or cavalcade count 6x6",),
    "piece pieces leapers": (
        ("a piece is written as in cavalcade tour 9x9 --piece zebra or 1,4; try cavalcade help pieces"),
    ),
    ("format formats extension ending notation algebraic pgn fen python drat"): (
        "--format",
        "help formats",
    ),
    "doc docs documentation manual hilfe tutorial man guide usage": (
        "try cavalcade help, and cavalcade help tour",
    ),
    (
        "knightmoves spectrum info describe about summary degrees degree neighbours "
        "neighbors adjacency matrix"
    ): ("degrees", "symmetries"),
    (
        "ogf values maximum max-n upto bound offset recurrence generating-function term terms "
        "oeis b-file bfile sequence formula polynomial"
    ): ("--bfile", "--upto", "count 3xn", "for the OEIS, try cavalcade count 3xn -o DIR"),
    "bipartite eulerian connected planar girth": ("degrees", "symmetries"),
    ("cover covers cycle-cover cycle-covers factor factors two-factors decomposition partition split"): (
        "decompose",
    ),
    "compare comparison versus vs diff": ("measure", "survey"),
    "benchmark speed timing profile performance": ("--verbose",),
    ("author license licence cite citation bibtex doi doctor upgrade update install"): (
        "try cavalcade --version; README.md and CITATION.cff have the rest",
    ),
    "paper article reference proc optnet dataset sas-data": ("reproduce", "theorem --list"),
    "csv parquet excel xlsx table dataframe spreadsheet": ("--format csv", "--output", "list"),
    "options option config settings": ("help tour",),
}
MEANINGS = {word: meant for words, meant in MEANT.items() for word in words.split()}
# advice for an argument too many, by command
ARGUMENTS = {
    "check": "one file at a time",
    "continue": WALK,
    "roesselsprung": "the text is one argument or a file, and the board is --board 8x8",
    "sas": "the program is the only argument, as in cavalcade sas tour.sas",
}
HELP = {"/?", "/h", "/help", "-?"}  # the spellings of --help in the command prompt of Windows
OWN = "Options"  # the section of the options that belong to no group
BOARD = re.compile(
    r"(\d+[x*\N{MULTIPLICATION SIGN}]|[a-z]+:)[\w:,*\N{MULTIPLICATION SIGN}-]+"
)  # begins like a board
CELL = re.compile(r"[a-z]{1,2}[0-9]{1,3}")
CLOSE = 0.8  # similarity of `difflib`, 0 to 1, from which a word is suggested: about two letters may differ


def usual_command(args: list[str], commands: Sequence[str]) -> list[str]:
    """Replace another name of a command by its usual name.

    Raises:
        click.UsageError: there is no such command.
    """
    first, *rest = args
    word = first.lower()
    if word in HELP:
        return ["--help"]
    if word == "help":
        if rest and (topic := TOPIC_NAMES.get(rest[0].lower())):
            return ["help", topic]
        names = [name for name in (usual_command([rest[0]], commands) if rest else []) if name in commands]
        return [*names, "--help"]
    if word == "version":
        return ["--version"]
    if first == "tour":  # a former flag
        for index, word in enumerate(args):
            flag, _, value = word.partition("=")
            if flag in ONCE:
                name, valued = ONCE[flag]
                rest = args[index + 1 :]
                argument = ([value] if value else rest[:1]) if valued else []
                return [*name, *argument, *args[1:index], *rest[bool(argument) and not value :]]
    if first in commands:
        return args
    word = word if word in COMMANDS else word.removesuffix("s")
    if word in commands or word in COMMANDS:
        return [COMMANDS.get(word, word), *rest]
    unknown = first[:60]
    if BOARD.fullmatch(word):
        return ["tour", *args]
    if "." in word or "/" in word:
        raise click.UsageError(f"{unknown!r} is not a command; for a file, try cavalcade check {unknown}")
    nearest = get_close_matches(word, [*commands, *COMMANDS], 2, CLOSE)
    advice = _did_you_mean(COMMANDS.get(name, name) for name in nearest)
    if word in MEANINGS or not advice:
        advice = _advice(click.get_current_context(), first)
    raise click.UsageError(f"there is no command {unknown!r}{advice}")


def usual_options(context: click.Context, args: Sequence[str]) -> Iterator[str]:
    """Replace other names of options by their usual names.

    Args:
        context: the context of the command.
        args: the words after the command.

    Raises:
        click.UsageError: the command has no such option.
    """
    command = context.command
    spelled = _spellings(command)
    formats = getattr(getattr(spelled.get("--format"), "type", None), "choices", ())
    pictures = names_of("Picture")
    pictured = any(not {word.lstrip("-"), format_of(word)}.isdisjoint(pictures) for word in args)
    for index, word in enumerate(args):
        name, equals, value = word.partition("=")
        if word == "--":
            yield from args[index:]
            return
        following = value or next(iter(args[index + 1 :]), "")
        if name == "--to" in spelled and following in formats:
            raise click.UsageError(f"--to is the last cell of a tour: try --format {following}")
        if (command.name, name) in USUAL:
            continue
        if name in HELP:
            yield "--help"
            continue
        if re.fullmatch("-[a-z]", name) and name not in {*spelled, *OPTIONS, "-h"}:
            raise click.UsageError(f"{command.name} has no option {name!r}{_advice(context, name)}")
        meant = OPTIONS.get(name, "")
        if (command.name, name) == ("tour", "--style") and (
            following == "random" or (following == "plain" and not pictured)  # also a style of pictures
        ):
            remark(f"--style {following} is deprecated since 0.2: use --blocks {following}")
            yield "--blocks" + equals + value
        elif following.isdecimal() and COUNTS.get(name, "") in spelled:
            yield COUNTS[name] + equals + value
        elif name in {*spelled, "--help"} or not (name.startswith("--") or meant in spelled):
            yield word
        elif meant in spelled:
            yield meant + equals + value
        elif name[2:] in formats and not equals:
            yield from ("--format", name[2:])
        else:
            raise click.UsageError(f"{command.name} has no option {name!r}{_advice(context, name)}")


def _spellings(command: click.Command | None) -> dict[str, click.Parameter]:
    """Return the options of a command by their spellings."""
    params = command.params if command else []
    return {spelling: option for option in params for spelling in (*option.opts, *option.secondary_opts)}


def _advice(context: click.Context, word: str) -> str:
    """Return the end of a sentence: what a word may mean, by its meaning, its spelling or its parts."""
    command, group = context.command, context.find_root().command
    spelled = {} if isinstance(command, click.Group) else _spellings(command)
    commands = group.list_commands(context) if isinstance(group, click.Group) else ()
    name, own = word.lstrip("-/").lower(), command.name or ""
    if whole := _meaning(name, spelled, commands, own):
        return whole
    if close := _close_to(name, spelled, commands):
        return _did_you_mean(close)
    if spelled and word.startswith("-") and isinstance(group, click.Group):  # an option of other commands
        having = [key for key in commands if word in _spellings(group.get_command(context, key))]
        if having:
            return _did_you_mean(f"cavalcade {key} {word}" for key in having)
    for part in re.split("[-_]", name):
        if advice := _meaning(part, spelled, commands, own):
            return advice
    if not spelled:
        return f": the commands are {_shortened(commands)}"
    return f": the options are {_shortened(_own_options(spelled))}" if word.startswith("-") else ""


def _close_to(name: str, spelled: Collection[str], commands: Collection[str]) -> list[str]:
    """List the options, or without any the commands, that contain a word or are spelled like it."""
    rivals = {key: key for key in commands}
    if spelled:  # short other names of options resemble too many words
        other_names = [key for key in OPTIONS if len(key) > len("--order")]
        rivals = {key.lstrip("-"): key for key in (*other_names, *spelled)}
    containing = [key for key in spelled if f"-{name}" in key] if len(name) > 1 else []
    similar = [OPTIONS.get(rivals[key], rivals[key]) for key in get_close_matches(name, rivals, 2, CLOSE)]
    return [key for key in (*containing, *similar) if key in spelled or key in commands]


def _own_options(spelled: Mapping[str, click.Parameter]) -> list[str]:
    """List the options of a command that belong to no group; options of few commands come first."""
    negative = {key for option in spelled.values() for key in option.secondary_opts}
    own = [
        key
        for key, option in spelled.items()
        if getattr(option, "section", "") == OWN and key.startswith("--") and key not in negative
    ]
    return sorted(own, key=lambda key: spelled[key].name in ROWS)


def _shortened(names: Iterable[str]) -> str:
    """Join names by commas, as many as two lines hold."""
    text = ", ".join(names)
    limit = 2 * TEXT_WIDTH
    return text if len(text) <= limit else text[:limit].rpartition(",")[0] + ", …"


def _meaning(name: str, spelled: Collection[str], commands: Collection[str], own: str) -> str:
    """Return the end of a sentence: what a word means as an option, else as a command, else in words."""
    meant = MEANINGS.get(name) or MEANINGS.get(name.removesuffix("s"), ())
    if f"--{name}" not in spelled and (alias := COMMANDS.get(name, name)) in commands and spelled:
        meant = (*meant, alias)
    first = {words: words.partition(" ")[0] for words in meant}
    if options := [words for words in meant if first[words] in spelled]:
        return _did_you_mean(options)
    if names := [words for words in meant if first[words] in {*commands, "help"} and first[words] != own]:
        return _did_you_mean(f"cavalcade {words}" for words in names)
    sentences = (f": {words}" for words in meant if " " in words and not words.startswith("--"))
    return next(sentences, "").replace(f": {own} ", f": try cavalcade {own} ")


def option_for(word: str) -> str:
    """Return the end of a sentence with the option for a word after the last argument, or nothing."""
    from cavalcade.question.pieces import NAMED

    command = click.get_current_context().command
    if command.name in ARGUMENTS:
        return f": {ARGUMENTS[command.name]}"
    options = _spellings(command)
    if re.search(r"\w\.\w+$", word):  # a file to write, unless it would be replaced
        replaces = "; -o would replace this file" if Path(word).exists() else f": try -o {word}"
        return replaces if "--output" in options else ""
    if word.lower() in {"from", "to", "with", "without", "avoid", "at", "open", "closed"}:
        return f": try --{word.lower()}"
    meant = "--piece" if word.lower() in NAMED else "--from" if CELL.fullmatch(word) else ""
    for spelling, option in options.items() if meant not in options else ():
        if spelling == f"--{word}" or word in getattr(option.type, "choices", ()):
            return f": try {spelling}" + f" {word}" * (spelling != f"--{word}")
    if meant not in options:
        return _advice(click.get_current_context(), word)
    return f": try {meant} {word}"


def _did_you_mean(nearest: Iterable[str]) -> str:
    """Return the end of a sentence with the first two suggestions, or nothing."""
    suggestions = list(dict.fromkeys(nearest))[:2]
    return f", did you mean {' or '.join(suggestions)}?" if suggestions else ""
