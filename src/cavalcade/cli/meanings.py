"""The tables of other spellings: of commands, of options and of topics, and what words mean.

`spellings` and `bare_words` read them.
"""

from __future__ import annotations

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
    "app": "studio", "knight": "tour", "springer": "tour", "graph": "links", "edges": "links",
    "is": "prove", "does": "prove", "can": "prove", "exist": "prove", "possible": "prove",
    "impossible": "prove", "solvable": "prove", "number": "count", "amount": "count",
}  # fmt: skip
# first words that any other command may follow: `show me a puzzle 6x6`
OPENERS = "how search when where would could will let let's there's i'd i'm what's"
GENERIC = frozenset(OPENERS.split())
# questions that begin with several words: the command, which the words after the match follow
QUESTIONS = (
    (r"(?:which|what) boards\b", "survey"),
    (r"(?:is|does|has) (?=\S+\.txt\b.* (?:unique|solvable|solution)\b)", "solve"),
    (r"(?:find |show |give |list |print )?(?:me )?all (?:the )?(?:\w+ )?tours\b", "list"),
    (r"(?:how (?:many|much)|(?:what is |what's )?(?:the )?(?:total )?(?:number|amount|count) of)\b", "count"),
    (r"(?:what is |what's |find )?(?:the )?longest (?:open )?(?:path|walk|way)\b", "best --longest"),
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
    "--color": "--colour", "--remove": "--without", "--holes": "--without", "--silent": "--quiet",
    "--count": "--number", "--threads": "--workers",
    "--jobs": "--workers", "--side-by-side": "--beside", "--animated": "--animate", "--mend": "--fix",
    "--clues": "--given", "--hints": "--given", "--minimal": "--fewest", "--answer-key": "--solution",
    "--answers": "--solution", "--solutions": "--solution", "--mod": "--modulo",
    "--undirected": "--no-directed",
    "--offen": "--open", "--figur": "--piece",
    "--source": "--from", "--target": "--to", "--obstacles": "--without", "--samples": "--number",
    "--tie-break": "--ties", "--tie-breaking": "--ties", "--tiebreak": "--ties", "--tie-breaker": "--ties",
    "--difficulty": "--level", "--answer": "--solution",
    "--max-time": "--time-limit", "--timeout": "--time-limit",
    "--max-n": "--upto", "--n-max": "--upto", "--nmax": "--upto", "--cores": "--workers",
    "--copies": "--number", "--sheets": "--number", "--num": "--number", "--amount": "--number",
    "--destination": "--to", "--origin": "--from", "--begin": "--from", "--blocked": "--without",
    "--exclude": "--without", "--save": "--output", "--outfile": "--output", "--export": "--output",
    "--width": "--size",
    "--n": "--number", "-p": "--piece", "--blank": "--empty", "--board-only": "--empty",
    "--rotation": "--symmetry", "--up-to-symmetry": "--symmetry=all", "--symmetry-classes": "--symmetry=all",
    "--up-to-isomorphism": "--symmetry=all",
}  # fmt: skip
# options for what a command always does; a remark says so: (command, option)
USUAL = {
    ("solve", "--solution"), ("solve", "--unique"), ("puzzle", "--unique"),
    ("prove", "--proof"), ("prove", "--why"), ("prove", "--explain"),
    ("count", "--recurrence"), ("count", "--gf"), ("count", "--generating-function"),
    ("count", "--verbose"), ("draw", "--grid"), ("solve", "--count"),
    ("prove", "--certificate"), ("sample", "--uniform"),
    ("measure", "--turns"), ("measure", "--crossings"), ("measure", "--angles"), ("measure", "--areas"),
    ("measure", "--symmetry"), ("measure", "--all"), ("uncrossed", "--longest"), ("list", "--all"),
    ("theorem", "--cite"), ("theorem", "--sources"),
}  # fmt: skip
# what `list` lists besides tours
LISTS = {
    "theorems": ["theorem", "--list"], "papers": ["reproduce", "--list"], "programs": ["sas", "--list"],
    "commands": ["--help"],
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
WALK = "the walk is a file, or - as in echo a1 b3 | cavalcade continue - 8x8"
COMPLETION = 'for bash, try eval "$(_CAVALCADE_COMPLETE=bash_source cavalcade)"; also zsh and fish'
# What words mean, as a command, an option or an argument: what to try instead. Options that the command has
# come first, then commands, then a sentence. An indented line continues the line before.
MEANT: dict[str, tuple[str, ...]] = {
    words: tuple(meant.split(" / "))
    for words, _, meant in (
        row.partition(": ")
        for row in """
all each exhaustive: --most / list
solution solutions answer answers key: --solution / --most / --number / solve / list
max: --upto / --number / --longest / survey '{m}x{n} for m in 3..8, n in m..8' -o DIR
maximal longest length partial: --longest / --maximize / best --longest
most: --longest / --maximize / count
count how-many total amount quantity: --number / --count / count
limit stop: --number / --time-limit
n: --upto / --number
time max-time seconds duration wait fast quick: --time-limit
ram mem: --memory
memory: --memory / every command has a limit, such as --memory 4G
json jsonl ndjson yaml xml: --format json / --json / convert
file save to-file write outfile out-file export store dump: --output / convert / tour
random-graph input in infile stdin edge-list graph vertices nodes network data: the argument is the graph:
  try cavalcade tour FILE; cavalcade help boards lists graphs by name
poster wallpaper image picture plot show display view color-map print: --output tour.svg / tour -o tour.svg
  / draw
tour: tour 8x8 -o tour.svg
html page web webpage website app api serve server gui browser interactive play game edit: studio
animate animated animation video movie film mp4 gif: --animate / --output tour.gif / an animation is a file:
  try cavalcade draw tour.txt -o tour.gif, or cavalcade tour 8x8 -o tour.gif
plotter gcode hpgl dxf laser cnc pen vector: a plotter reads SVG: try cavalcade tour 8x8 -o tour.svg
width height size scale zoom dpi resolution cell-size px pixels: --size / help boards
rows columns cols rows-and-columns board shape dimensions dimension sides squares: help boards
torus cylinder moebius mobius klein hex hexagon hexagonal circle ring wrap toroidal cube sphere: help boards
ascii unicode thick round frame border theme dark light style look skin smooth curve curved line lines
  stroke thickness: --style / --thin / draw
color colors colour colours palette rainbow gradient cmap colormap hue: --colour / --style / draw
background bg backdrop black: --style dark / --ground / draw
white: --ground
transparent: --ground / draw
no-grid grid: --style lines / draw
no-color no-colour monochrome bw black-and-white: --style plain
line-width stroke-width linewidth: --thin / --style
red green gold silver orange purple: --colour
coordinates label labels coordinates-shown axis axes: --labels / draw
tsplib: --format hcp / --format tour / links --format hcp
blank empty board-only: --empty / draw
header heading comment title caption: --no-comment / a file begins with its board and piece; cavalcade
  convert FILE --no-comment leaves them out
knight horse: --piece knight
camel: --piece camel
zebra: --piece zebra
giraffe: --piece giraffe
antelope: --piece antelope
king: --piece king
leaper jump leap chessman: --piece / a piece is written as in cavalcade tour 9x9 --piece zebra or 1,4
shortest weights cost cheapest minimum-weight travelling salesman: --columns / tsp
weighted heaviest lightest: --weighted / tsp
weight distance: --columns / tsp
random shuffle randomize: --seed / sample
uniform estimate estimation approximate approx approximation monte-carlo confidence expected average: sample
  / measure / there are no estimates: cavalcade count is exact and cavalcade sample is uniform
rotate rotation: --symmetry / --from
mirror reflect flip: --symmetry
symmetric symmetrical rotational symmetry-group automorphism automorphisms group: --symmetry / symmetries
orbit orbits both-directions unique up-to-symmetry up-to inequivalent nonequivalent distinct
  essentially-different nonisomorphic isomorphism canonical fundamental geometrically symmetry-classes
  classes: --symmetry / count --symmetry
explain explanation reason certificate unsat proof impossible possible exists existence parity existing:
  --proof / prove
heuristic: --engine / warnsdorff
warnsdorf warnsdorff-rule: --engine / warnsdorff
backtrack backtracking brute-force bruteforce dfs: --engine / list
sat algorithm solver method engine: --engine / --method / prove --engine sat
verify validate check test: check
statistic statistics stat stats metrics analyze analyse analysis property properties: --measure / measure
histogram: --histogram / --by / draw --histogram / count --by turns
distribution by spread frequency frequencies group-by: --by / count --by turns / survey --by
type genre variant: --kind
hidato: --kind hidato / puzzle --kind hidato
numbrix: --kind numbrix / puzzle --kind numbrix
letter: --paper letter
a4: --paper a4
paper-size landscape portrait: --paper
latex tex tikz: --format tikz
boards family families range: help boards / help survey
hole holes wall walls exclude excluded remove removed missing delete blocked obstacles: --without / --avoid
pass visit via waypoint: --through
through-cells: --through
fix must-use include require required use fixed: --with / --at
start begin first origin source: --from
end finish last destination target: --to
reentrant re-entrant cycle circuit loop hamiltonian-cycle: --closed / tour
path hamiltonian-path: --open / tour --open
crossing crossings: --measure / fewest crossings
turn turns: --by turns / fewest turns
angle angles: --by angles / fewest right
simple simpler hardness grade grading rate rating difficulty easy medium hard level: the levels of a puzzle
  are --level easy, medium, hard and very-hard: try cavalcade puzzle 6x6
hint hints clue clues givens: --given / studio
min-clues minimum-clues minimum minimal fewest-clues: --fewest / fewest
students pupils children persons pages sheets copies worksheet-count: --number
v progress log debug trace status: --verbose / a status line on the terminal shows the progress
handout lesson worksheet worksheets class classroom exercise: try cavalcade puzzle 6x6 -n 12 --level easy -o
  class.pdf
thread threads worker workers job jobs j core cores cpu cpus parallel processes gpu: --workers / a search
  uses one process; cavalcade survey --workers N asks about several boards at a time
lang language locale german deutsch: the commands write English; the page of cavalcade studio has German and
  Spanish, too
euclidean points cities xy: for points, write a TSPLIB file with NODE_COORD_SECTION
metric: for points, write a TSPLIB file with NODE_COORD_SECTION
walk moves: the walk is a file, or - as in echo a1 b3 | cavalcade continue - 8x8
completion completions install-completion autocomplete: for bash, try eval
  "$(_CAVALCADE_COMPLETE=bash_source cavalcade)"; also zsh and fish
generate create make new build: tour / puzzle
piece pieces leapers: a piece is written as in cavalcade tour 9x9 --piece zebra or 1,4; try cavalcade help
  pieces
algebraic notation chess-notation: --format names / convert --format names
text word words message sentence poem phrase secret: roesselsprung 'THE TEXT'
drat lrat cnf dimacs opb: --output proof.cnf / prove 4x4 -o proof.cnf
format formats extension ending pgn fen python: --format / help formats
doc docs documentation manual hilfe tutorial man guide usage: try cavalcade help, and cavalcade help tour
knightmoves spectrum info describe about summary degrees degree neighbours neighbors matrix:
  degrees / symmetries
ogf values maximum max-n upto bound offset recurrence generating-function term terms oeis b-file bfile
  sequence formula polynomial: --bfile / --upto / count 3xn / for the OEIS, try cavalcade count 3xn -o DIR
bipartite eulerian connected planar girth: degrees / symmetries
compare comparison versus vs diff: measure / survey
benchmark speed timing profile performance: --verbose
author license licence cite citation bibtex doi doctor upgrade update install: try cavalcade --version;
  README.md and CITATION.cff have the rest
paper article reference: reproduce / theorem --list
dataset sas-data: --format sas / tour 8x8 --format sas
adjacency: --format adjlist / links 8x8 --format adjlist
docx odt eps ps jpg jpeg bmp webp tiff smt: a file is written by -o with an ending that cavalcade help
  formats lists, such as -o tour.pdf or -o tour.png
csv parquet excel xlsx table dataframe spreadsheet: --format csv / --output / list
options option config settings: help tour
""".replace("\n  ", " ")
        .strip()
        .splitlines()
    )
}
MEANINGS = {word: meant for words, meant in MEANT.items() for word in words.split()}
# advice for an argument too many, by command
ARGUMENTS = {
    "check": "one file at a time",
    "continue": WALK,
    "roesselsprung": "the text is one argument or a file, and the board is --board 8x8",
    "measure": "one file at a time, with all its measures",
    "sas": "the program is the only argument, as in cavalcade sas tour.sas",
}
# answers to an unknown option: (command, option without dashes)
SAID = {
    ("measure", "by"): "measure prints every measure, so leave it out",
    ("best", "measure"): "for crossings, turns or angles: try cavalcade fewest crossings 6x6",
    ("best", "minimize"): "for crossings, turns or angles: try cavalcade fewest crossings 6x6",
    ("optgraph", "out-nodes"): "for the data set: try cavalcade links 8x8 -o links.csv",
    ("optgraph", "out-links"): "for the data set: try cavalcade links 8x8 -o links.csv",
}
HELP = {"/?", "/h", "/help", "-?"}  # the spellings of --help in the command prompt of Windows
OWN = "Options"  # the section of the options that belong to no group
