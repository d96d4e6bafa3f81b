"""Examples of every command, each with its meaning, and the example that is nearest to a refused line.

The help of a command and its page print its examples. A line that is refused without better advice is
answered with the nearest example of all commands.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cavalcade.cli.bare_words import BOARD, FILLERS
from cavalcade.cli.menu import SUMMARIES

# Per line: the words after `cavalcade`, also behind a pipe; the meaning; other words for it, if any.
TABLE = """
tour 8x8 -o tour.svg = draw a closed tour of the chessboard = picture image poster horse pattern
tour 5x5 --open --from a1 = an open tour that starts in a corner = begin start path end
tour torus:5x7 = a tour of a torus; the other surfaces are cylinder, mobius and klein = wrap around sphere
tour 6x6 --symmetry half-turn = a tour that looks the same upside down = symmetrical rotate rotation mirror
tour 8x8 -o tour.gif = an animation of the piece on its way = animated video movie mp4 film slow
tour 10x10 --piece zebra = a tour of another piece than the knight = leaper camel giraffe fairy
tour 8x8 --style dark --colour gold -o tour.svg = a picture in other colours = theme palette background
tour 8x8 --size 800 -o tour.png = a picture of 800 by 800 pixels = width height resolution dpi
tour 8x8 --paper a4 -o tour.pdf = a page to print = poster eps postscript landscape printer
tour 8x8 --format sas = the program of a data set in SAS = dataset proc
tour 8x8 --json = an object for a program = script api python
tour 4x4x4 -o tour.stl = a tour in space, to print in 3D = model mesh cube obj
tour 8x8-c3,d4 = a tour of a board with two holes = without blocked missing removed
tour 100x100 -o big.png = a tour of a large board = big huge giant enormous
tour 6x6 --with a1-b3 --avoid c3-d5 = a tour with one move and without another = must use forbid constraint
tour petersen --open = a Hamiltonian path of a graph with a name = network vertices edges nodes degree
prove 4x4 = why there is no closed tour, in sentences = explain reason impossible parity
prove 4x6 -o proof.cnf = the question and its refutation for other checkers = drat lrat dimacs certificate sat
prove 3x8 -o proof.json = a certificate that cavalcade check reads = verify formal checker
prove petersen = why a graph has no Hamiltonian cycle = bipartite tough cut
count 6x6 = the number of closed tours = many total undirected
count 5x5 --open --directed = open tours, a tour and its reverse as two = both directions paths
count 6x6 --symmetry = classes up to rotation and reflection = orbit inequivalent distinct isomorphism
count 3xn --upto 20 --bfile b.txt = the number for each n, as a b-file of the OEIS = sequence term offset
count 3xn = the recurrence and generating function for every n = formula polynomial growth asymptotic
count 5x6 --by turns = the distribution of the number of turns = histogram statistics crossings
list 5x6 -n 3 = the first three tours = all every enumerate exhaustive show limit
list 5x6 --up-to-symmetry -o tours.csv = one tour of each class, as a table = unique file dataframe pandas
list 5x6 --measure = a table of measures, a row per tour = statistics turns crossings area
sample 6x6 -n 10 = ten tours at random, all equally likely = uniform estimate monte carlo approximate
sample 6x6 -n 100 --measure = measures of a sample of tours = average mean median variance distribution
draw 8x8 -o board.svg = a picture of an empty board = blank grid
tour 8x8 | draw - --numbers -o numbers.svg = a tour with the number of each step = label order
draw shape.txt -o shape.svg = a board of your own shape: . for a square, # for a hole = heart star house
puzzle 6x6 = a puzzle with exactly one solution = game hidden clues missing numbers brain teaser
puzzle 6x6 --level hard -o puzzle.pdf = a hard puzzle to print = difficulty easy expert grade
puzzle 5x5 --open --fewest = a puzzle of which no number can be left out = minimal clues givens minimum
puzzle 6x6 -n 12 --level easy -o class.pdf = a worksheet for a class, with answers = key pupil kid child
puzzle 6x6 --kind hidato = a Hidato; also numbrix, hopido, zip and rikudo = sudoku maze slitherlink
roesselsprung 'MEET ME AT NOON' --board 4x3 = hide a text along a tour = word message secret poem code cipher
studio = draw boards, ask and play in the browser = game web edit gui interactive play
tour 6x6 | check - = check a tour of a file or a pipe = verify valid correct right test
prove 4x4 -o proof.json | check proof.json = check the certificate of a proof = verify
tour 6x6 | convert - --format pgn = a tour in another format = notation chess algebraic export translate
tour 6x6 | convert - --from c3 --reverse = the same tour from another square, backwards = start rotate
tour 8x8 | measure - = turns, crossings, angles and symmetries = length statistic analyse area
puzzle 6x6 | solve - = solve a puzzle and count its solutions = unique answer hint
links 6x6 -o moves.csv = a table of all moves = edge graph adjacency networkx neighbour matrix program
links 8x8 -o knight.hcp = the moves as a problem for TSP solvers = tsplib concorde lkh linkern
schema tour = the JSON Schema of the answers of a command = field type validate
best 4x4 --longest = the longest path if there is no tour = partial almost maximal cover most
best 4x4 --fewest-paths = a cover of the board with few paths = two three
fewest turns 6x6 = a tour with the fewest turns = straight bend smooth minimum
fewest crossings 6x6 = a tour with the fewest crossings = minimal intersect
uncrossed 7x7 = the longest walk that does not cross itself = non-intersecting planar
magic 4x7 --columns = tours whose columns have equal sums = semimagic square sum
echo a1 b3 | continue - 8x8 --open = go on from some first moves = next best move stuck finish complete
connected 3x4 = all pairs of squares that open tours join = end start laceable component
decompose torus:4x4 = split all moves into tours = factor partition cycle cover two-factor split
tsp links.csv --columns from,to,cost = the cheapest tour of a table = weight distance shortest salesman
tsp cities.tsp = the shortest tour of points in a TSPLIB file = euclidean coordinate map city euc
warnsdorff 8x8 = walk by Warnsdorff's rule = heuristic greedy degree
warnsdorff 8x8 --explain = what the rule does at every step = teach lesson trace why
warnsdorff 8x8 --all --ties random --seed 1 = from every square, ties broken at random = tie break compare
warnsdorff 8x8 | trace - = the steps of a walk and the choices at each = log slow
degrees 8x8 = the number of moves from each square = degree neighbour valency
symmetries 8x8 = the symmetries of a board = group automorphism rotation
survey '{m}x{n} for m in 3..6, n in m..8' -o boards = which boards have a tour = all smallest range compare
survey show boards = the table of a survey = list result
theorem --list = all theorems by name = history literature reference author bibliography
theorem schwenk = a theorem, its status and its sources = rectangle closed proof cite
theorem glinski --proof = a proof that is written out = hexagon
reproduce --list = the papers that can be recomputed = figure table euler
reproduce demaio2020 = recompute what a paper prints = article
chain 8x8 --levels 1000 = a tour of a stack, level by level = tower floors
tour 6x6 -o tour.txt | glue tour.txt --levels 2 = join closed tours of the levels of a stack = combine merge
optgraph 3x10 = the tables of PROC OPTGRAPH = sas procedure optnet
sas --list = SAS programs that run without SAS = paper macro
sas solution1.sas = run a SAS program = execute
help boards = all kinds of boards and graphs with a name = shape surface hexagon family
help pieces = all names of pieces = leaper chessman
help formats = all formats that are read and written = extension ending file
""".strip()
SMALL_WORDS = "for that not its from other another what than new each between run show make print set"
SMALL = FILLERS.union(SMALL_WORDS.split())  # they say nothing about a command
START = re.compile(r"(?:^|(?<=\| ))(?=(?:help|" + "|".join(SUMMARIES) + r")\b)")


class Example(NamedTuple):
    """An example.

    Attributes:
        line: the line, as it is typed.
        meaning: what it does.
        stems: the stems of the line, the meaning and other words for it.
    """

    line: str
    meaning: str
    stems: frozenset[str]


def stems(text: str) -> frozenset[str]:
    """Return the words of a text without a plural's ending, cut to five letters: related words share them."""
    words = re.findall("[a-z]{3,}", text.lower().replace("colour", "color"))
    return frozenset(word.removesuffix("s")[:5] for word in words if word not in SMALL)


@cache
def examples() -> list[Example]:
    """Return all examples."""
    rows = (row.split(" = ") for row in TABLE.splitlines())
    return [Example(START.sub("cavalcade ", row[0]), row[1], stems(" ".join(row))) for row in rows]


def of_command(name: str) -> list[Example]:
    """Return the examples of a command."""
    return [example for example in examples() if re.search(rf"cavalcade {name}\b[^|]*$", example.line)]


def nearest(words: Sequence[str], unknown: str, accepts: Callable[[str], bool]) -> str:
    """Return the example that has most in common with a line, with its meaning, or nothing.

    A stem weighs the less the more examples have it. One that more than a tenth of them have is too common to
    be an answer to the unknown words.

    Args:
        words: the words of the line.
        unknown: the words that were not understood, of which the example has at least one.
        accepts: whether a line is accepted.
    """
    count = Counter(stem for example in examples() for stem in example.stems)
    rare = {stem for stem in stems(unknown) if count[stem] * 10 <= len(examples())}
    beside = stems(" ".join(words))

    def likeness(example: Example) -> float:
        shared = sum(1 / count[stem] for stem in rare & example.stems)
        same = example.line.startswith(f"cavalcade {words[0]} ")
        return shared and shared + (sum(1 / count[stem] for stem in beside & example.stems) + same) / 4

    for example in sorted(filter(likeness, examples()), key=likeness, reverse=True)[:3]:
        for line in (_about(example.line, words), example.line):
            if accepts(line):
                return f"{line} ({example.meaning})"
    return ""


def _about(line: str, words: Sequence[str]) -> str:
    """Return an example with the board or the file of another line."""
    boards = [word for word in words if BOARD.fullmatch(word)]
    files = [word for word in words if re.search(r"[./]", word) and Path(word).is_file()]
    if files and (piped := re.fullmatch(r".* \| (cavalcade \w+) -(.*)", line)):
        return f"{piped[1]} {shlex.quote(files[0])}{piped[2]}"
    if files and (named := re.fullmatch(r"(cavalcade \w+ )[\w.]+\.\w+\b(.*)", line)):
        return f"{named[1]}{shlex.quote(files[0])}{named[2]}"
    old = next((word for word in shlex.split(line) if BOARD.fullmatch(word)), "")
    return line.replace(f" {old}", f" {boards[0]}", 1) if old and boards else line
