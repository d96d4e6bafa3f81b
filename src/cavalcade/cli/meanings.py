"""The tables of other spellings: of commands, of options and of topics, and what words mean.

`spellings` and `bare_words` read them.
"""

from __future__ import annotations

import pkgutil

from cavalcade.question.words import LIMITS, ROWS, key_of, spelling_of


def table(section: str) -> list[str]:
    """Return the lines of a section of `data/advice.txt`, without comments."""
    text = (pkgutil.get_data("cavalcade", "data/advice.txt") or b"").decode()
    lines = text.partition(f"[{section}]\n")[2].partition("\n[")[0].replace("\n  ", " ").splitlines()
    return [line for line in lines if line and not line.startswith(";")]


# other names of commands, perhaps with options
COMMANDS = {
    "find": "tour", "search": "tour", "hamiltonian": "tour", "refute": "prove", "disprove": "prove",
    "why": "prove", "enumerate": "list", "random": "sample", "plot": "draw", "render": "draw",
    "picture": "draw", "show": "draw", "verify": "check", "validate": "check",
    "rösselsprung": "roesselsprung", "statistics": "measure", "stats": "measure", "gui": "studio",
    "symmetry": "symmetries", "theorems": "theorem", "sequence": "count", "finish": "continue",
    "proof": "prove", "hamilton": "tour", "print": "draw", "papers": "reproduce",
    "oeis": "count", "horse": "tour",
    "explain": "prove", "cycle": "tour", "circuit": "tour", "recurrence": "count",
    "automorphisms": "symmetries", "play": "studio", "game": "studio",
    "app": "studio", "knight": "tour", "springer": "tour", "edges": "links",
    "adjacency": "links --format matrix",
    "adjacency-matrix": "links --format matrix", "matrix": "links --format matrix", "shortest": "tsp",
    "salesman": "tsp", "concorde": "tsp", "optimal": "tsp", "cheapest": "tsp", "data-links": "links",
    "traveling": "tsp", "travelling": "tsp", "traceable": "tour --open", "optnet": "optgraph", "gf": "count",
    "lookup": "count", "dimacs": "links --format dimacs", "drat-trim": "check", "nodes": "degrees",
    "certify": "prove", "sat": "tour --engine sat",
    "is": "prove", "does": "prove", "can": "prove", "exist": "prove", "possible": "prove",
    "impossible": "prove", "solvable": "prove", "number": "count", "amount": "count",
    "paper": "reproduce",
    "longest": "best --longest", "animate": "draw --animate", "animation": "draw --animate",
    "gallery": "sample", "worksheet": "puzzle", "table": "survey", "rate": "solve", "grade": "solve",
    "difficulty": "solve", "poster": "tour", "quiz": "puzzle",
    "book": "puzzle", "mosaic": "sample", "collage": "sample", "wallpaper": "tour", "moves": "links",
    "hidato": "puzzle --kind hidato", "numbrix": "puzzle --kind numbrix",
    "rikudo": "puzzle --kind rikudo", "hopido": "puzzle --kind hopido",
}  # fmt: skip
# first words that any other command may follow: `show me a puzzle 6x6`
OPENERS = "how search when where would could will let let's there's i'd i'm what's"
GENERIC = frozenset(OPENERS.split())
# words that say nothing in the name of a command, such as knights-graph
UNSAID = frozenset(["knight", "knights", "data", "salesman", "problem", "greedy", "tour", "solve"])
# questions that begin with several words: the command, which the words after the match follow
QUESTIONS = (
    (r"hamilton(?:ian)?[ _-]path\b", "path"),
    (r"complete (?=\S+\.\w+\b)", "continue"),
    (r"(?:tables?|figures?)(?: of)? (?=(?:gerlach|demaio)\d)", "reproduce"),
    (r"(?:hamilton(?:ian)?[ _-])?(?:laceable|connected)\b", "connected"),
    (r"(?:filter|select|pickg?)\b(?: hamiltonian)?", "tour --pick found"),
    (r"non-?hamiltonian\b", "tour --pick impossible"),
    (r"(?:which|what) boards\b", "survey"),
    (r"(?:is|does|has) (?=\S+\.txt\b.* (?:unique|solvable|solution)\b)", "solve"),
    (r"(?:find |show |give |list |print )?(?:me )?all (?:the )?(?:\w+ )?tours\b", "list"),
    (r"(?:how (?:many|much)|(?:what is |what's )?(?:the )?(?:total )?(?:number|amount|count) of)\b", "count"),
    (r"(?:what is |what's |find )?(?:the )?longest open (?:path|walk|way)\b", "best --longest --open"),
    (r"(?:what is |what's |find )?(?:the )?longest (?:path|walk|way)\b", "best --longest"),
    (
        r"(?:is|are) (?=\S+\.(?:txt|json|csv|tour|proof|npy|pgn)\b(?! (?:solvable|hamiltonian|connected)))",
        "check",
    ),
)
SERIES = frozenset(["oeis", "sequence", "recurrence"])  # other names of `count`, for boards with a side n
# other names of options, for commands that lack the first name and have the second
OPTIONS = {
    f"--{alias.replace('_', '-')}": spelling_of(name)
    for name, row in (ROWS | LIMITS).items()
    for alias in (key_of(name), *row.aliases)
} | {
    f"--{opposite}": row.option.partition("/")[2] for row in ROWS.values() for opposite in row.opposites
} | {
    "--to": "--format", "--terms": "--upto", "--b-file": "--bfile", "--out": "--output",
    "--color": "--colour", "--remove": "--without", "--holes": "--without", "--hole": "--without",
    "--silent": "--quiet", "--count": "--number", "--threads": "--workers",
    "--jobs": "--workers", "--side-by-side": "--beside", "--animated": "--animate", "--mend": "--fix",
    "--clues": "--given", "--hints": "--given", "--minimal": "--fewest", "--answer-key": "--solution",
    "--answers": "--solution", "--solutions": "--solution", "--mod": "--modulo",
    "--undirected": "--no-directed", "--digraph": "--directed", "--both-directions": "--directed",
    "--exclude-edge": "--avoid", "--include-edge": "--with", "--edge": "--with", "--with-edge": "--with",
    "--arcs": "--directed",
    "--links": "--board", "--graph": "--board", "--instance": "--board", "--problem": "--board",
    "--hamiltonian": "--closed", "--hamiltonian-path": "--open",
    "--offen": "--open", "--figur": "--piece",
    "--source": "--from", "--target": "--to", "--obstacles": "--without", "--samples": "--number",
    "--tie-break": "--ties", "--tie-breaking": "--ties", "--tiebreak": "--ties", "--tie-breaker": "--ties",
    "--difficulty": "--level", "--answer": "--solution",
    "--max-time": "--time-limit", "--timeout": "--time-limit",
    "--verify": "--twice", "--check": "--twice", "--all-starts": "--all", "--every-start": "--all",
    "--times": "--levels", "--boards": "--levels", "--layers": "--levels", "--floors": "--levels",
    "--solution-file": "--solution", "--answer-file": "--solution", "--out-dir": "--output",
    "--trace": "--explain", "--reveal": "--given", "--shown": "--given",
    "--max-n": "--upto", "--n-max": "--upto", "--nmax": "--upto", "--cores": "--workers",
    "--batch": "--number", "--pages": "--number",
    "--copies": "--number", "--sheets": "--number", "--num": "--number", "--amount": "--number",
    "--destination": "--to", "--origin": "--from", "--begin": "--from", "--blocked": "--without",
    "--exclude": "--without", "--save": "--output", "--outfile": "--output", "--export": "--output",
    "--width": "--size",
    "--n": "--number", "-p": "--piece", "-f": "--format", "-s": "--seed", "-t": "--time-limit",
    "--blank": "--empty", "--board-only": "--empty",
    "--rotation": "--symmetry", "--up-to-symmetry": "--symmetry=all", "--symmetry-classes": "--symmetry=all",
    "--up-to-isomorphism": "--symmetry=all",
}  # fmt: skip
# options for what a command always does; a remark says so: (command, option)
USUAL = {
    ("solve", "--solution"), ("solve", "--unique"), ("puzzle", "--unique"),
    ("prove", "--proof"), ("prove", "--why"), ("prove", "--explain"),
    ("prove", "--steps"), ("puzzle", "--worksheet"),
    ("count", "--recurrence"), ("count", "--gf"), ("count", "--generating-function"),
    ("count", "--verbose"), ("draw", "--grid"), ("solve", "--count"),
    ("prove", "--certificate"), ("prove", "--check"), ("prove", "--verify"), ("sample", "--uniform"),
    ("measure", "--turns"), ("measure", "--crossings"), ("measure", "--angles"), ("measure", "--areas"),
    ("measure", "--symmetry"), ("measure", "--all"), ("uncrossed", "--longest"), ("list", "--all"),
    ("count", "--time"), ("solve", "--check"), ("solve", "--verify"), ("solve", "--difficulty"),
    ("solve", "--grade"), ("solve", "--rate"), ("solve", "--rating"), ("measure", "--magic"),
    ("magic", "--all"), ("symmetries", "--list"), ("symmetries", "--all"), ("connected", "--list"),
    ("connected", "--all"), ("degrees", "--all"), ("reproduce", "--check"), ("reproduce", "--compare"),
    ("prove", "--theorem"), ("draw", "--checkerboard"),
    ("puzzle", "--verify"), ("puzzle", "--check"),
    ("theorem", "--cite"), ("symmetries", "--count"), ("optgraph", "--summary"), ("theorem", "--sources"),
}  # fmt: skip
# other names of options for what a command always does in these formats
USUAL_IN = {("puzzle", "--solution"): ("pdf",)}  # the page has the solution upside down
# options without the value that they need: what is meant
VALUELESS = dict.fromkeys(("--steps", "--step", "--moves", "--order"), ("--format", "names"))
# what `list` lists besides tours
LISTS = {
    "theorems": ["theorem", "--list"], "papers": ["reproduce", "--list"], "programs": ["sas", "--list"],
    "commands": ["--help"], "boards": ["help", "boards"], "pieces": ["help", "pieces"],
    "formats": ["help", "formats"], "engines": ["help", "tour"],
}  # fmt: skip
# former flags of `tour` that are commands today: the words that replace each, and whether it has a value
ONCE = {
    "--continue": (["continue"], True), "--fewest": (["fewest"], True), "--summary": (["optgraph"], False),
    "--warnsdorff": (["warnsdorff"], False), "--fewest-turns": (["fewest", "turns"], False),
    "--fewest-crossings": (["fewest", "crossings"], False),
}  # fmt: skip
# other words for the topics of `cavalcade help`
TOPIC_NAMES = {
    "board": "boards", "boards": "boards", "graphs": "boards", "shapes": "boards", "cells": "boards",
    "piece": "pieces", "pieces": "pieces", "leapers": "pieces", "symmetries": "symmetries",
    "symmetry": "symmetries", "format": "formats", "formats": "formats", "files": "formats",
    "endings": "formats",
}  # fmt: skip
WALK = "the walk is a file, or - as in echo a1 b3 | cavalcade continue - 8x8"
COMPLETION = 'for bash, try eval "$(_CAVALCADE_COMPLETE=bash_source cavalcade)"; also zsh and fish'
# What words mean, as a command, an option or an argument: what to try instead. Options that the command has
# come first, then commands, then a sentence.
ROWS_OF_WORDS = (row.partition(": ") for row in table("Meanings"))
MEANT = {words: tuple(meant.split(" / ")) for words, _, meant in ROWS_OF_WORDS}
MEANINGS = {word: meant for words, meant in MEANT.items() for word in words.split()}
# advice for an argument too many, by command
ARGUMENTS = {
    "check": "one file at a time",
    "continue": WALK,
    "roesselsprung": "the text is one argument or a file, and the board is --board 8x8",
    "measure": "one file at a time, with all its measures",
    "studio": "the board is drawn on the page",
    "sas": "the program is the only argument, as in cavalcade sas tour.sas",
}
# answers to an unknown option: (command, option without dashes)
SAID = {
    ("measure", "by"): "measure prints every measure, so leave it out",
    ("best", "measure"): "for crossings, turns or angles: try cavalcade fewest crossings 6x6",
    ("best", "minimize"): "for crossings, turns or angles: try cavalcade fewest crossings 6x6",
    **{
        ("tsp", word): "the weights of a file are used as they are; --columns FROM,TO,WEIGHT chooses columns"
        for word in ("weight", "weights", "cost", "distance", "length")
    },
    ("tour", "weights"): "weights stand beside links in a table: try cavalcade tsp links.csv --columns 1,2,3",
    **dict.fromkeys(
        [("tsp", "approx"), ("tsp", "heuristic"), ("tsp", "greedy")],
        "the search is exact, and --time-limit ends it with the lightest tour so far and a bound",
    ),
    **dict.fromkeys(
        [("reproduce", "table"), ("reproduce", "figure")],
        "--list names the tables and figures: try cavalcade reproduce gerlach2015 --list",
    ),
    **dict.fromkeys(
        [("tour", "magic"), ("tour", "semimagic"), ("tour", "semi-magic")],
        "magic tours are listed for boards of up to five rows: try cavalcade magic 4x7 --columns",
    ),
    **{
        ("puzzle", word): "the numbers that are shown are counted: try cavalcade puzzle 6x6 --given 12"
        for word in ("blanks", "empty", "blank", "hidden")
    },
    **{
        (
            "count",
            word,
        ): "shards are counted by processes: try cavalcade count 8x8 --shards 64 -o counts --workers 4"
        for word in ("parallel", "cpu", "cpus", "cores", "threads", "jobs", "processes")
    },
    ("count", "proof"): "a receipt records a count for check: try cavalcade count 6x6 --receipt new.json",
    ("draw", "duration"): "animations are .gif and have a speed of their own: leave it out",
    ("tour", "levels"): "levels are a side of the board: try cavalcade tour 3x8x8",
    ("tour", "layers"): "levels are a side of the board: try cavalcade tour 3x8x8",
    ("theorem", "all"): "all have names: try cavalcade theorem --list",
    ("theorem", "search"): "all have names: try cavalcade theorem --list",
    **dict.fromkeys(
        [("tour", "dimacs"), ("tour", "cnf"), ("list", "dimacs"), ("count", "dimacs")],
        "a formula is written with the proof that there is no tour, as by cavalcade prove 4x4 -o proof.cnf",
    ),
    ("tour", "given"): "numbers on a board are a puzzle, for cavalcade solve; a step is given by --at 5=c3",
    ("prove", "stats"): "--verbose prints engine and time: try cavalcade prove 6x6 --verbose",
    ("tour", "height"): "solids have a size of their own; for a picture, --size sets its longer side",
    **dict.fromkeys(
        [("tour", "variant"), ("tour", "variants"), ("tour", "betza"), ("tour", "custom")],
        "cavalcade help pieces lists the ways to write a piece",
    ),
    **{
        (
            "check",
            word,
        ): f"check prints the kind, and a claim is given by --claims '{word} tour of 8x8, knight'"
        for word in ("closed", "open")
    },
    ("tour", "nodes"): "a table of links is enough: try cavalcade tour links.csv",
    ("tour", "time"): "the time is printed by --verbose: try cavalcade tour 8x8 --verbose",
    (
        "tour",
        "stats",
    ): "--verbose prints engine and time, and cavalcade measure what a tour looks like",
    ("tour", "number"): "for several tours try cavalcade list 6x6 -n 5 or cavalcade sample 6x6 -n 5",
    **{
        ("links", word): "for the number of moves of each square: try cavalcade degrees 8x8"
        for word in ("stats", "statistics", "degrees")
    },
    **{
        (
            "puzzle",
            word,
        ): "a text is hidden by another command: try cavalcade roesselsprung 'THE TEXT' --board 6x6"
        for word in ("text", "letters", "message", "poem", "phrase", "quote", "words", "secret", "syllables")
    },
    **{
        ("check", word): "for turns, crossings, sums and symmetries: try cavalcade measure FILE"
        for word in (
            "magic",
            "semimagic",
            "uncrossed",
            "crossings",
            "symmetry",
            "symmetric",
            "turns",
            "stats",
        )
    },
    **{
        ("prove", word): "one proof is printed, so leave it out"
        for word in [
            "minimal",
            "minimum",
            "shortest",
            "smallest",
            "all",
            "cut",
            "parity",
            "coloring",
            "colouring",
        ]
    },
    **dict.fromkeys(
        [("uncrossed", "prove"), ("uncrossed", "proof"), ("uncrossed", "bounds"), ("uncrossed", "optimal")],
        "the answer says what was proved about longer walks, so leave it out",
    ),
    **dict.fromkeys(
        [("count", "method"), ("count", "engine"), ("count", "algorithm")],
        "counts have one method, so leave it out",
    ),
    (
        "count",
        "format",
    ): "--json prints an object, -o FILE writes .txt, .csv or .json, and --bfile FILE terms",
    **dict.fromkeys(
        [("count", "recurrence"), ("count", "gf"), ("count", "generating-function")],
        "it belongs to a board with a side n: try cavalcade count 3xn",
    ),
    ("optgraph", "out-nodes"): "for the data set: try cavalcade links 8x8 -o links.csv",
    ("optgraph", "out-links"): "for the data set: try cavalcade links 8x8 -o links.csv",
}
HELP = {"/?", "/h", "/help", "-?"}  # the spellings of --help in the command prompt of Windows
