"""Guessed spellings: accepted if they have only one meaning, otherwise answered with the right word."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

import cavalcade
from cavalcade.boards.notation import parse_board, spelled
from cavalcade.cli import COMMANDS, group
from cavalcade.cli.examples import examples, of_command
from cavalcade.cli.meanings import MEANT
from cavalcade.cli.refusals import accepts
from cavalcade.cli.spellings import usual_command
from cavalcade.question.pieces import NAMED, parse_piece
from conftest import Ran, one_error

if TYPE_CHECKING:
    from collections.abc import Callable

    Cli = Callable[..., Ran]

EQUIVALENT = [
    ("reproduce paper3 --list", "reproduce demaio2020 --list"),
    ("tour 8/8/8/3**3/3**3/8/8/N7 -q", "tour 8x8-d5,e5,d4,e4 --from a1 -q"),
    ("chain 8x8 --times 3", "chain 8x8 --levels 3"),
    ("warnsdorff 8x8 --all-starts -q", "warnsdorff 8x8 --all -q"),
    ("solve x.txt --grade -q", "solve x.txt -q"),
    ("puzzle 6x6 --reveal 8 -q", "puzzle 6x6 --given 8 -q"),
    ("count 4x4 --format json -q", "count 4x4 --json -q"),
    ("tour hex4 --open", "tour hex:4 --open"),
    ("tour --hex 3 --open", "tour hex:3 --open"),
    ("tour 8x8 --start Ng1", "tour 8x8 --from g1"),
    ("tour --fen 8/8/8/8/8/8/8/6N1 -q", "tour 8x8 --from g1 -q"),
    ("tour 8/8/2p2p2/8/8/2p2p2/8/8 -q --open", "tour 8x8-c6,f6,c3,f3 -q --open"),
    ("reproduce --paper 3 --list", "reproduce demaio2020 --list"),
    ("list formats", "help formats"),
    ("draw 8x8 --width 200mm -o x.svg", "draw 8x8 --size 756 -o x.svg"),
    ("tour 6x6 --size 1.5in -o x.png", "tour 6x6 --size 144 -o x.png"),
    ("find 5x6", "tour 5x6"),
    ("tour 5 x 6", "tour 5x6"),
    ("tour 5*6", "tour 5x6"),
    ("tour 5 6", "tour 5x6"),
    ("tour 5 by 6 --seed 2", "tour 5x6 --seed 2"),
    ("tour --seed 2 5 6", "tour 5x6 --seed 2"),
    ("fewest turns 5 6", "fewest turns 5x6"),
    ("tour hex 4", "tour hex:4"),
    ("tour chessboard", "tour 8x8"),
    ("tour 5x6 --closed", "tour 5x6"),
    ("tour 5x5 --open --start a1 --end e5", "tour 5x5 --open --from a1 --to e5"),
    ("tour 6x6 --svg", "tour 6x6 --format svg"),
    ("tour 6x6 --tikz", "tour 6x6 --format tikz"),
    ("tour 8x8 --piece N", "tour 8x8"),
    ("tour 8x8 --piece king", "tour 8x8 --piece 0,1+1,1"),
    ("tour 8x8 --piece wazir", "tour 8x8 --piece 0,1"),
    ("count 3xn --terms 5 -q", "count 3xn --upto 5 -q"),
    ("draw 3x4 --blank", "draw 3x4 --empty"),
    ("tour -w 8 -h 6", "tour 6x8"),
    ("count --rows 5 --cols 6", "count 5x6"),
    ("tour --rows 5 --cols 6 --at=1=a1", "tour 5x6 --at 1=a1"),
    ("roesselsprung KNIGHT --rows 3 --cols 4", "roesselsprung KNIGHT --board 3x4"),
    ("sample 6x6 2 seed 3", "sample 6x6 -n 2 --seed 3"),
    ("tour 5x6 not closed", "tour 5x6 --open"),
    ("tour --surface klein 6x6", "tour klein:6x6"),
    ("find all tours of 5x6", "list 5x6"),
    ("tour 5x6 --fewest-turns -q", "fewest turns 5x6 -q"),
    ("prove 3x4 --proof -q", "prove 3x4 -q"),
    ("tours 5x6", "tour 5x6"),
    ("sequence 3xn --terms 5 -q", "count 3xn --upto 5 -q"),
    ("help tour", "tour --help"),
    ("help find", "tour --help"),
    ("help", "--help"),
    ("version", "--version"),
    ("help leapers", "help pieces"),
    ("help graphs", "help boards"),
    ("tour 9x9 --piece NC", "tour 9x9 --piece gnu"),
    ("tour 8x8 --piece WF", "tour 8x8 --piece king"),
    ("tour 8x8 --piece squirrel", "tour 8x8 --piece 0,2+1,2+2,2"),
    ("tour 14x14 --piece flamingo", "tour 14x14 --piece 1,6"),
    ("tour 6x6 --symmetry 180", "tour 6x6 --symmetry half-turn"),
    ("tour 6x6 --symmetry eulerian", "tour 6x6 --symmetry half-turn"),
    ("tour 8x8-e5:d4", "tour 8x8-d4,d5,e4,e5"),
    ("tour 2x6x6-1:a1:2:b1", "tour 2x6x6-1:a1,1:b1,2:a1,2:b1"),
    ("list 6x6 --first 2 -q", "list 6x6 --number 2 -q"),
    ("tour hex:5 --symmetry 60", "tour hex:5 --symmetry turn-by-60°"),
    ("puzzle 4x4 --kind zip --to d4 -q", "puzzle 4x4 --kind zip --open --to d4 -q"),
    ("puzzle 6x6 --clues 8 -q", "puzzle 6x6 --given 8 -q"),
    ("puzzle 6x6 --unique -q", "puzzle 6x6 -q"),
    ("puzzle 6x6 --minimal -q", "puzzle 6x6 --fewest -q"),
    ("horse 6x6", "tour 6x6"),
    ("tour K5", "tour complete:5"),
    ("tour K3,3", "tour bipartite:3,3"),
    ("tour hypercube 3", "tour hypercube:3"),
    ("tour 6x6 --piece horse", "tour 6x6"),
    ("tour /?", "tour --help"),
    ("tour 8x8 --source a1", "tour 8x8 --from a1"),
    ("tour 8x8 --obstacles d4,d5", "tour 8x8 --without d4,d5"),
    ("tour chess", "tour 8x8"),
    ("tour 5x5 --offen", "tour 5x5 --open"),
    ("draw 5x5 --grid -q", "draw 5x5 -q"),
    ("count 3xn --upto 6 --recurrence -q", "count 3xn --upto 6 -q"),
    ("count 3xn --upto 6 --verbose -q", "count 3xn --upto 6 -q"),
    ("tour 8x8 -p 1,3+1,2", "tour 8x8 --piece 1,3+1,2"),
    ("list 6x6 --n 2 -q", "list 6x6 -n 2 -q"),
    ("puzzle 6x6 --easy -q", "puzzle 6x6 --level easy -q"),
    ("tour 8x8 closed from a1", "tour 8x8 --closed --from a1"),
    ("tour giraffe 10x10", "tour 10x10 --piece giraffe"),
    ("puzzle hidato 5x5", "puzzle 5x5 --kind hidato"),
    ("best 5x5 longest", "best 5x5 --longest"),
    ("fewest 6x6 turns", "fewest turns 6x6"),
    ("tour 6x6 --torus", "tour torus:6x6"),
    ("list tours 5x6", "list 5x6"),
    ("prove no closed tour of 4x6", "prove 4x6"),
    ("sample 6x6 3", "sample 6x6 -n 3"),
    ("show me a tour 6x6", "tour 6x6"),
    ("does 5x6 have a closed tour", "prove 5x6 --closed"),
    ("is connected 3x3", "connected 3x3"),
    ("how many 5x6 -q", "count 5x6 -q"),
    ("zebra 10x10 -q", "tour 10x10 --piece zebra -q"),
    ("torus 5 7", "tour torus:5x7"),
    ("graph 4x4", "links 4x4"),
    ("graph petersen -q", "tour petersen -q"),
    ("graph petersen --all -q", "list petersen -q"),
    ("graph petersen --format dot", "links petersen --format dot"),
    ("path petersen", "tour petersen --open"),
    ("path petersen 1 5", "tour petersen --open --from 1 --to 5"),
    ("path 5x5 a1 e5", "tour 5x5 --open --from a1 --to e5"),
    ("path a1 h7 --seed 2", "tour 8x8 --open --from a1 --to h7 --seed 2"),
    ("hamiltonian path petersen", "tour petersen --open"),
    ("hamilton-connected petersen", "connected petersen"),
    ("laceable 4x4", "connected 4x4"),
    ("is-hamiltonian petersen", "prove petersen"),
    ("traceable petersen", "tour petersen --open"),
    ("knights-tour 5x6", "tour 5x6"),
    ("tour petersen --open --edge 1-2", "tour petersen --open --with 1-2"),
    ("greedy_tsp petersen", "tsp petersen"),
    ("dimacs 4x4", "links 4x4 --format dimacs"),
    ("closed_tours 5x6", "tour 5x6 --closed"),
    ("adjacency-matrix 4x4", "links 4x4 --format matrix"),
    ("knights-graph 4x4 --format edgelist", "links 4x4 --format edges"),
    ("help me find a tour", "tour --help"),
    ("help me", "--help"),
    ("open tours 5x5", "tour 5x5 --open"),
    ("warnsdorff 8x8 all", "warnsdorff 8x8 --all"),
    ("tour 6x6 half turn", "tour 6x6 --symmetry half-turn"),
    ("sample 6x6 2 csv", "sample 6x6 -n 2 --format csv"),
    ("draw 4x4 without labels", "draw 4x4 --no-labels"),
    ("fewest obtuse angles 6x6 -q", "fewest obtuse 6x6 -q"),
    ("zebra list 5x5", "list 5x5 --piece zebra"),
    ("count --board 5x6 -q", "count 5x6 -q"),
    ("count 6x6 up to symmetry -q", "count 6x6 --symmetry -q"),
    ("list 5x6 up to symmetry", "list 5x6 --up-to-symmetry"),
    ("puzzle 6x6 with 10 clues", "puzzle 6x6 --given 10"),
    ("number of tours 5x6 -q", "count 5x6 -q"),
    ("list papers", "reproduce --list"),
    ("theorem list", "theorem --list"),
    ("theorem triangles proof", "theorem triangles --proof"),
    ("theorem chia ong", "theorem chia_ong"),
    ("tour 6 x 6", "tour 6x6"),
    ("6 by 6", "tour 6x6"),
    ("prism 5", "tour prism:5"),
    ("count n x n for n from 1 to 4 -q", "count nxn --upto 4 -q"),
    ("count 3xn up to 12 -q", "count 3xn --upto 12 -q"),
    ("how many knight's tours are there on a 5x6 board -q", "count 5x6 -q"),
    ("what is the number of closed tours of 5x6 -q", "count 5x6 -q"),
    ("why is there no closed tour on 5 by 5", "prove 5x5 --closed"),
    ("find a tour of 6x6 starting at c3 ending on c4 open", "tour 6x6 --from c3 --to c4 --open"),
    ("puzzle 6x6 two sheets -q", "puzzle 6x6 --number 2 -q"),
    ("longest path on 5x5 -q", "best --longest 5x5 -q"),
    ("count 5xn --open --first 4 -q", "count 5xn --open --upto 4 -q"),
    ("links 4x4 --undirected", "links 4x4"),
    ("is there an open zebra tour of 10x10?", "prove 10x10 --open --piece zebra"),
    ("tour 10x10 camel+knight", "tour 10x10 --piece camel+knight"),
    ("tour 6x6 eulerian", "tour 6x6 --symmetry eulerian"),
    ("print puzzle 6x6 -q", "puzzle 6x6 -q"),
    ("a tour that starts at d4 and ends at e6 on 8x8 open", "tour 8x8 --from d4 --to e6 --open"),
    ("count 5x6 up to rotation and reflection -q", "count 5x6 --symmetry -q"),
    ("count 4xn closed up to n=4 -q", "count 4xn --upto 4 -q"),
    ("tour 10x10 (1,4) --open", "tour 10x10 --piece 1,4 --open"),
    ("is petersen hamiltonian -q", "prove petersen -q"),
    ("tour K_{3,3}", "tour K3,3"),
    ("warnsdorff 8x8 --tie-break random -q", "warnsdorff 8x8 --ties random -q"),
    ("fewest 6x6 --turns -q", "fewest turns 6x6 -q"),
    ("tour 6x6 --symmetry rot90", "tour 6x6 --symmetry quarter-turn"),
    # values of options, texts and files are no phrases
    ("tour 6x6 --from torus", "tour 6x6 --from=torus"),
    ("tour 6x6 -qo torus", "tour 6x6 -q --output=torus"),
    ("roesselsprung Hello! --board 4x4", "roesselsprung --board 4x4 Hello!"),
    ("roesselsprung quiet --board 4x4", "roesselsprung --board 4x4 -- quiet"),
    ("roesselsprung two --board 4x4", "roesselsprung --board 4x4 two"),
    ("check ", "check -- "),  # an empty argument
    ("tour 5x6 cycle", "tour 5x6 --closed"),
    ("count 3xn 1-4 -q", "count 3xn --upto 4 -q"),
    ("worksheets 5x6 -n 2 -q", "puzzle 5x6 -n 2 -q"),
    ("hidato 4x4 -q", "puzzle 4x4 --kind hidato -q"),
    ("rikudo hex:3 -q", "puzzle hex:3 --kind rikudo -q"),
    ("gallery 6x6 -n 4 -q", "sample 6x6 -n 4 -q"),
    ("tour 5x6 --steps", "tour 5x6 --format names"),
    ("tour 6x6 --begin a1,b3,c5", "tour 6x6 --at 1=a1 --at 2=b3 --at 3=c5"),
    ("tour 6x6 --from=a1,b3", "tour 6x6 --at 1=a1 --at 2=b3"),
    ("list 5x6 --maxcycles 3 -q", "list 5x6 --number 3 -q"),
    ("tour 6x6 --warnsdorff", "warnsdorff 6x6"),
    ("tour 6x6 --avoid c3,e3", "tour 6x6 --avoid-cells c3,e3"),
    ("6 6 --open", "tour 6x6 --open"),
    ("poster 6x6", "tour 6x6"),
    ("count 4x5 --symmetric -q", "count 4x5 --symmetry -q"),
    ("tour 6x6 --without a1 --holes b1", "tour 6x6 --without a1,b1"),
    ("tour of a big chessboard 6x6", "tour 6x6"),
    ("tour 5 5 open", "tour 5x5 --open"),
    ("longest open path 4x4", "best 4x4 --longest --open"),
    ("book 5x6 --puzzles 2 -q", "puzzle 5x6 --number 2 -q"),
    ("puzzle 5x6 very easy -q", "puzzle 5x6 --level easy -q"),
]
CORRECTED = [
    ("check x.txt --closed", "a claim is given by --claims 'closed tour of 8x8, knight'"),
    ("count 6x6 --by symmetry", "cavalcade count 6x6 --symmetry"),
    ("list 6x6 --upto-iso", "cavalcade list 6x6 --up-to-symmetry"),
    ("tour 8x8 --variant x", "cavalcade help pieces"),
    ("tour 8x8 --format dimacs -o k8.cnf", "is not one of 'text'"),
    ("tour 6x6 --random 5", "cavalcade sample 6x6 -n 5"),
    ("count --batch b.txt", "xargs -n1 cavalcade count"),
    ("prove 4x10 --stats", "cavalcade prove 4x10 --verbose"),
    ("tour 8x8 --type open", "cavalcade tour 8x8 --open"),
    ("tour 8x8 --moves 2,1", "did you mean --piece 2,1?"),
    ("tour 8x8 --levels 3", "try cavalcade tour 3x8x8"),
    ("count 6x6 --threads 4", "try cavalcade count 6x6 --shards 64 -o counts --workers 4"),
    ("count 3xn --limit 10", "cavalcade count 3xn --upto 10"),
    ("list 5x6 --unique", "cavalcade list 5x6 --up-to-symmetry"),
    ("check w.json --coq", "cavalcade check w.json --verified"),
    ("puzzle 6x6 --blanks 9", "try cavalcade puzzle 6x6 --given 12"),
    ("count 3x10 3x12 --format csv", "for example: echo 3x10 3x12 | xargs -n1 cavalcade count"),
    ("tour 6x6 --count 9 --seed 1", "cavalcade sample 6x6 --seed 1 -n 9"),
    (
        "tour 6x6 -n 9 --format csv",
        "cavalcade list 6x6 --format csv -n 9 or cavalcade sample 6x6 --format csv -n 9",
    ),
    ("tour 8x8 -s g1", "cavalcade tour 8x8 --from g1"),
    ("tour 8x8 --style curved", "moves are straight lines"),
    ("tour 8x8 --solver kissat", "cavalcade tour 8x8 --engine sat"),
    ("tour 8x8 --heuristic warnsdorff", "did you mean cavalcade warnsdorff 8x8?"),
    ("tour 8x8 --symmetry fourfold", "horizontal; vertical; half-turn; diagonal; quarter-turn"),
    ("tour 8x8 -o tour.dxf", "A plotter reads SVG"),
    ("tour 8x8 -o tour.mp4", "cavalcade tour 8x8 -o tour.gif"),
    ("puzzle 6x6 --seed 2026-11-28", "cavalcade puzzle 6x6 --seed 20261128"),
    ("puzzle 6x6 --symmetric --seed 4", "try --symmetry half-turn"),
    ("puzzle 6x6 --quote Hello!", "cavalcade roesselsprung 'Hello!' --board 6x6"),
    ("cite schwenk", "did you mean cavalcade theorem schwenk?"),
    ("count 3x20 --recurrence", "try cavalcade count 3xn"),
    ("count 4x5 --format bfile", "--bfile FILE"),
    ("prove 4x10 --minimal", "cavalcade prove 4x10"),
    ("links 5x5 --degrees", "try cavalcade degrees 5x5"),
    ("count 6x6 --workers 4", "--workers 4 works only with --shards N: add it"),
    ("uncrossed 6x6 --bounds", "says what was proved"),
    ("reproduce gerlach", "did you mean gerlach2015 or gerlach2019?"),
    ("tour 8x8 --to json", "--format json"),
    ("tour 8", "Did you mean 8x8?"),
    ("tour 8x8 --piece queen", "slides"),
    ("tour 8x8 --draw", "cavalcade tour 8x8 --output tour.svg"),
    ("tour 8x8 --limit 5", "try cavalcade list 8x8 -n 3; for seconds, --time-limit"),
    ("tour 8x8 --cnstruct", "--construct"),
    ("count 3xn --directd", "--directed"),
    ("tour.txt", "there is no such file"),
    ("cuont 8x8", "count"),
    ("pieces", "1,4"),
    ("measure 8x8", "cavalcade tour 8x8"),
    ("tour 8x8 --histogram x", "cavalcade count 8x8 --by turns?"),
    ("tour 8x8 --proof", "cavalcade prove"),
    ("tour 6x6 --easy", "--easy"),
    ("completion bash", "_CAVALCADE_COMPLETE=bash_source"),
    ("tour 8x8 a1", "--from a1"),
    ("tutorial", "cavalcade help"),
    ("tour", "BOARD"),
    ("--quiet", "cavalcade tour 8x8 --json"),
    ("tour 6x6 --all", "cavalcade list 6x6?"),
    ("tour 6x6 --rows 3", "cavalcade help boards"),
    ("tour 8x8 --longest", "cavalcade best"),
    ("tour 8x8 --piece NQ", "slides"),
    ("tour 8x8 --piece NN", "slides"),
    ("tour 8x8-a1:j2", "'j2'"),
    ("tour 6x6 --symmetry axial", "horizontal"),
    ("tour 6x9 --symmetry eulerian", "half-turn for both"),
    ("boards", "cavalcade help boards"),
    ("tour 8x8 --seed x", "'x'"),
    ("convert 6x6 g.graphml", "'g.graphml': try -o g.graphml"),
    ("tour 6x6 t.svg", "try -o t.svg"),
    ("tsp e.csv --weight cost", "--columns"),
    ("help memory", "--memory 4G"),
    ("hilfe", "cavalcade help"),
    ("info", "cavalcade degrees"),
    ("tour 6x6 --count", "did you mean cavalcade count 6x6?"),
    ("best 5x5 --max", "did you mean --longest"),
    ("count 5x5 --unique", "did you mean --symmetry?"),
    ("count 4xn --open --from z9", "is not a cell of 4xn"),
    ("best 5x5 --longest -o x.proof", "--proof x.proof"),
    ("solve x.txt --all", "did you mean --most?"),
    ("puzzle 6x6 --rate", "--level easy"),
    ("tour 6x6 --blank", "did you mean cavalcade draw 6x6?"),
    ("sample 6x6 --measure --format svg", "--measure"),
    ("roesselsprung 8x8 --text Wer_reitet", "--board 8x8"),
    ("oeis A070030", "cavalcade count 3xn"),
    ("tour 8x8 --lang de", "write English"),
    ("tour 8x8 --workers 4", "a search uses one process"),
    ("tour 8x8 --threads 4", "a search uses one process"),
    ("continue 8x8 a1 b3", "echo a1 b3 | cavalcade continue - 8x8"),
    ("continue 8x8 --walk a1,b3", "echo a1 b3 | cavalcade continue - 8x8"),
    ("sas run tour.sas", "cavalcade sas tour.sas"),
    ("check a.txt b.txt", "one file at a time"),
    ("prove 4xn", "family of boards"),
    ("puzzle 8x8 --type hidato", "--kind"),
    ("puzzle 8x8 --letter", "--paper letter"),
    ("prove 4x10 --latex", "--format tikz"),
    ("tsp 8x8 --metric euclidean", "NODE_COORD_SECTION"),
    ("survey --boards 3..8", "cavalcade help survey"),
    ("--install-completion bash", "_CAVALCADE_COMPLETE=bash_source"),
    ("count 3x10 3x12", "expected one board, not"),
    ("count 3x4..12", "--upto 12"),
    ("tour 6x6 -j 2", "a search uses one process"),
    ("tour 6x6 --rainbow", "did you mean --colour"),
    ("animate 6x6", "cavalcade tour 6x6 --animate -o tour.svg"),
    ("count 6x6 --up-to symmetry", "did you mean --symmetry?"),
    ("count A001230", "is a sequence"),
    ("tour 6x6 --canonical", "did you mean --symmetry?"),
    ("tour 5x6 --not-closed", "did you mean --open?"),
    ("tour 5x6 open not from a1", "unexpected argument 'not' after '5x6' (see"),
    ("best 5x5 nonsense", "cavalcade best 5x5 --longest"),
    ("magic 3xn nonsense", "after '3xn' (see"),
    ("continue c3", "try echo c3 | cavalcade continue - 8x8"),
    ("continue", "echo a1 b3 | cavalcade continue - 8x8"),
    ("tour 6x6 king zebra", "'zebra': --piece is king already"),
    ("puzzle 6x6 easy --level hard", "'easy': --level is hard already"),
    ("list 6x6 3 5", "'5': --number is 3 already"),
    ("fewest turns 6x6 crossings", "after '6x6'; for example: cavalcade fewest crossings 6x6 ("),
    ("glue a1", "cavalcade tour 6x6 | cavalcade glue -"),
    ("tour 6x6 --nonsense", "without it: cavalcade tour 6x6 (see"),
    ("sample petersen -n 2 -o x.uci", "in moves"),
    ("list torus:4x4 -o x.stl", "as STL"),
    ("decompose king:5 -o x.uci", "in moves"),
    ("longest uncrossed path 5x5", "cavalcade uncrossed --longest --open 5x5?"),
    ("symmetric tour 6x6", "cavalcade tour 6x6 --symmetry half-turn?"),
    ("reproduce 2019", "did you mean gerlach2019?"),
    ("schwenk 4x6", "cavalcade theorem schwenk"),
    ("oeis 1,8,24", "try cavalcade count 3xn"),
    ("most 6x6 turns", "cavalcade count 6x6 turns?"),
    ("count 3x4-3x12", "try 3xn --upto 12"),
    ("tour 3x3-8x8", "survey '{m}x{n} for m in 3..8, n in 3..8' -o DIR"),
    ("draw 8x8 --size A3", "did you mean --paper a3?"),
    ("draw 8x8 --size 200km", "is not a whole number, did you mean --size 200?"),
    ("links 8x8 --format tsplib", "did you mean --format hcp?"),
    ("theorem schwenk 3x4", "cavalcade prove 3x4"),
    ("measure --by", "every measure"),
    ("chain 2000", "8x8 --levels 2000"),
    ("check a1,b3,c1", "echo a1 b3 c1 | cavalcade check - --board 8x8"),
    ("solve 6x6", "cavalcade puzzle 6x6 | cavalcade solve -"),
    ("convert 8x8 --to hcp", "cavalcade links 8x8 --format hcp"),
    ("glue 4 tours", "there is no file 'tours'"),
    ("draw 8x8 --colour red", "cavalcade tour 8x8 --colour red -o tour.svg"),
    ("tour 6x6 5", "cavalcade sample -n 5"),
    ("chain", "try cavalcade chain 6x6"),
    ("warnsdorff 8x8 --trials 9 --seed 1", "cavalcade warnsdorff 8x8 --ties random --seed 1"),
    ("draw 6x6 --size A2 --pdf", "for example: cavalcade draw 6x6 --paper a2"),
    ("draw 6x6 --background black", "for example: cavalcade draw 6x6 --style dark"),
    ("tour 6x6 --format algebraic", "for example: cavalcade tour 6x6 --format names"),
    ("trace 5x5 --verbose", "did you mean cavalcade tour 5x5 --verbose"),
    ("continue 5x5 a1 b3 c5", "for example: echo a1 b3 c5 | cavalcade continue - 5x5"),
    ("count 3x3 4x4 --piece king -q", "echo 3x3 4x4 | xargs -n1 cavalcade count --piece king -q (see"),
    ("list 6x6 --count", "did you mean cavalcade count 6x6?"),
    ("count 3xn --from 4 --to 20", "n is 1, 2, 3 and so on; for example: cavalcade count 3xn --to 20"),
    ("count 3x10 --b-file", "cavalcade count 3xn --upto 20 --bfile b.txt"),
    ("toughness 4x10", "did you mean cavalcade prove 4x10?"),
    ("oeis A165134 --terms 5", "count nxn --open --directed"),
    ("theorem 4xn", "cavalcade count 4xn"),
    ("compare 6x6 5x5 --fast", "cavalcade survey 6x6 5x5"),
    ("bfile 4xn --open -n 10", "cavalcade count 4xn --open --upto 10?"),
    ("svg 6x6 --no-board", "cavalcade tour 6x6 --style lines --format svg"),
    ("list 6x6 --limit 5", "for example: cavalcade list 6x6 --number 5"),
    ("svg t.txt", "cavalcade draw t.txt --format svg"),
    ("degrees 6x6 --matrix", "cavalcade degrees 6x6 --format wide"),
    ("survey 10 -o rows", "for m in 3..10, n in 3..10"),
    ("survey 5..9 zebra -o rows", "for m in 5..9, n in 5..9"),
    ("draw 8x8 --no-color", "for example: cavalcade draw 8x8 --style plain"),
    ("-v tour 6x6", "try cavalcade tour 6x6"),
    ("which boards have a giraffe tour", "cavalcade survey '{m}x{n}"),
    ("how do I draw a knight's tour", "cavalcade tour 8x8 -o tour.svg"),
    ("puzzle 6x6 -o p.json", "add --json"),
    ("can a knight capture every square of a 7x7 board", "cavalcade prove --piece knight 7x7"),
    ("puzzle --shape heart", "cavalcade draw shape.txt"),
    ("tsp e.csv --weight cost", "--columns FROM,TO,WEIGHT"),
    ("solve 6x6 from e4", "cavalcade tour 6x6"),
    ("reproduce schwenk", "cavalcade theorem schwenk"),
    ("best 6x6 --measure crossings", "cavalcade fewest crossings 6x6"),
    ("survey 6x6 --csv x.csv", "survey export x -o x.csv"),
    ("tsp 6x6 -o k.tsp", "cavalcade links 8x8 -o k.hcp"),
    (
        "draw the knight going round a chess board",
        "for example: cavalcade tour chess --piece knight -o tour.svg",
    ),
    ("decompose torus:5x5 into cycles", "for example: cavalcade decompose torus:5x5"),
    ("count 5x6 up to rotation", "try up to symmetry"),
    ("list 5x6 up to reflections", "try up to symmetry"),
    ("warnsdorff 8x8 cycle", "unexpected argument 'cycle'"),
    ("count 5x6 open cycles", "ask for one of the two"),
    ("check two", "there is no file 'two'"),
    ("count ring.txt 1-2", "unexpected argument '1-2'"),
    ("tour petersen from two to three open", "'two' is not a vertex"),
    ("tour 6x6 -- torus", "unexpected argument 'torus'"),
    ("draw a heart", "cavalcade draw shape.txt"),
    ("fewest 5x5 clues", "cavalcade puzzle 5x5 --open --fewest"),
    ("draw 12x12 --symmetric -o x.svg", "cavalcade tour 12x12 --symmetry half-turn -o x.svg"),
    ("puzzle 8x8 --word KNIGHT", "cavalcade roesselsprung 'KNIGHT'?"),
    ("draw 6x6 --list-styles", "--style is one of colour, plain"),
    ("draw 6x6 --background white -o x.png", "cavalcade draw 6x6 --ground -o x.png"),
    ("reproduce euler", "cavalcade reproduce --list"),
    ("sas 8x8", "cavalcade tour 8x8 --format sas"),
    ("calculate count 5x6", "did you mean cavalcade count 5x6?"),
    ("survey --max 12", "cavalcade survey '{m}x{n}"),
    ("tour 8x8 --longest --piece camel", "cavalcade best 8x8 --piece camel --longest?"),
    ("tour 10x10 --uncrossed --seed 4", "cavalcade uncrossed 10x10 (without --seed 4)?"),
    ("tour 8x8 --magic", "of up to five rows: try cavalcade magic 4x7 --columns"),
    ("graph 8x8 --stats", "try cavalcade degrees 8x8"),
    ("count 3x10 --format bfile", "-o FILE writes .txt, .csv or .json"),
    ("tour 8x8 --semimagic", "try cavalcade magic 4x7 --columns"),
    ("tour 5x5 --explain", "cavalcade prove 5x5 or cavalcade warnsdorff 5x5 --explain?"),
    ("minimal-board", "cavalcade survey '{m}x{n} for m in 3..6, n in m..8' -o boards?"),
    ("puzzle 8x8 --dpi 300 -o p.png", "cavalcade puzzle 8x8 --size 3000 -o p.png"),
    ("draw 8x8 --style lines -o x.svg", "try cavalcade tour 8x8 --style lines -o x.svg"),
    ("draw 8x8 --stroke red --background black", "tour 8x8 --style dark --colour red -o tour.svg (see"),
    ("draw 8x8 --transparent -o x.png", "cavalcade draw 8x8 --no-ground -o x.png"),
    ("tour 6x6 --single-line -o x.svg", "cavalcade tour 6x6 --style lines -o x.svg"),
    ("tour --squares white", "cavalcade tour 8x8 --style lines -o tour.svg (see"),
    ("puzzle 6x6 -n 4 --two-per-page -o s.pdf", "cavalcade puzzle 6x6 -n 4 --per-page"),
    ("tour 8x8 --a3 -o t.pdf", "cavalcade tour 8x8 --paper a3 -o t.pdf"),
    ("puzzle 6x6 --letters", "cavalcade roesselsprung 'THE TEXT' --board 6x6"),
    ("puzzle 8x8 --level expert", "cavalcade puzzle 8x8 --level very-hard"),
    ("prove 3x3 --simple", "nor one like it; without it: cavalcade prove 3x3"),
    ("draw 8x8 --tour -o t.svg", "cavalcade tour 8x8 -o t.svg?"),
    (
        "puzzle 6x6 --svg p.svg --answer a.svg",
        "cavalcade puzzle 6x6 --output p.svg and cavalcade puzzle 6x6 --solution -o a.svg",
    ),
    ("check a1,b3,c5 --board 5x5", "| cavalcade check - --board 5x5"),
    ("tour hexagon:3", "Did you mean hexagon:3,3,3?"),
    ("tour 8x8-a1-h8", "or 8x8-a1,h8"),
    ("export 6x6 -o t.svg", "cavalcade tour 6x6 -o t.svg?"),
    ("export 8x8 --format sas", "did you mean cavalcade links 8x8 --format sas or"),
    ("export 6x6 --format cnf", "a formula is written with the proof that there is no tour"),
    ("tour 6x6 -o x.cnf", "try cavalcade prove 4x4 -o x.cnf"),
    ("tour 5x6 with no crossings", "cavalcade fewest 5x6 crossings or cavalcade uncrossed 5x6?"),
    ("tour 8x8 --method warnsdorff --start a1", "cavalcade warnsdorff 8x8 --from a1?"),
    ("tour 6x6 --seed 1 --seed 2", "--seed is 1 already"),
    ("tour 6x6 -o a.svg -o b.svg", "not a.svg and b.svg"),
    (
        "puzzle 6x6 --solution s.svg -o p.svg",
        "cavalcade puzzle 6x6 -o p.svg and cavalcade puzzle 6x6 --solution -o s.svg",
    ),
    ("puzzle 6x6 --no-solution -o p.pdf", "nor one like it; without it: cavalcade puzzle 6x6 -o p.pdf"),
    ("tour 8x8 -n 5", "cavalcade list 8x8 -n 5 or cavalcade sample 8x8 -n 5?"),
    ("cryptogram HELLO", "cavalcade roesselsprung"),
    ("puzzle 7x7 --shape cross", "shape.txt is a file of yours"),
    ("tour 6x6 --speed 2 -o t.gif", "leave it out; for example: cavalcade tour 6x6 -o t.gif"),
    ("puzzle 6x6 --clues 40%", "without it: cavalcade puzzle 6x6 (see"),
    ("puzzle 6x6 --large-print -o p.pdf", "without it: cavalcade puzzle 6x6 -o p.pdf"),
    ("tour 8x8 --style minimal -o m.svg", "without it: cavalcade tour 8x8 -o m.svg"),
    ("prove 5x5 --simple-words", "nor one like it; without it: cavalcade prove 5x5"),
    ("game 5x5", "the board is drawn on the page"),
    ("magic knight tour", "cavalcade magic 4x7 --columns"),
    ("minimize puzzle.txt", "cavalcade puzzle 6x6 --fewest"),
    ("table 3x3 8x8", "for m in 3..8, n in 3..8"),
    ("prove 4xn", "cavalcade theorem schwenk"),
]


@pytest.mark.parametrize(("typed", "meant"), EQUIVALENT)
def test_unambiguous_spellings_are_accepted(cli: Cli, typed: str, meant: str) -> None:
    helps = meant.endswith(("--help", "--version"))
    if helps or parsed(typed) != parsed(meant):  # the same words for the command need no run
        assert cli(*typed.split(" ")) == cli(*meant.split(" "))


def parsed(line: str) -> tuple[str, dict[str, object]]:
    """Return the command of a line and the values of its options and arguments."""
    with click.Context(group, info_name="cavalcade") as context:
        name, *rest = usual_command(line.split(" "), COMMANDS)
        command = group.get_command(context, name)
        assert command is not None
        with command.make_context(name, rest, parent=context) as inner:
            return name, inner.params


@pytest.mark.parametrize(("typed", "word"), CORRECTED)
def test_other_spellings_are_answered_with_the_right_word(cli: Cli, typed: str, word: str) -> None:
    one_error(cli(*typed.split()), word)


def test_a_word_has_one_meaning() -> None:
    words = " ".join(MEANT).split()
    assert len(words) == len(set(words))


def test_both_sides_of_a_picture_are_no_board(cli: Cli, tmp_path: Path) -> None:
    cli("tour", "5x6", "-o", tour := tmp_path / "t.txt")
    assert "--height" in cli("draw", tour, "--width", "500", "--height", "300", "-o", tmp_path / "t.png").err
    assert "--height" in cli("draw", "-", "--width", "500", "--height", "300", "-o", tmp_path / "t.png").err


def test_a_file_of_another_command_is_recognized(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tour, puzzle, graph, board = map(Path, ("t.txt", "p.txt", "g.edges", "b.txt"))
    cli("tour", "5x6", "-o", tour)
    puzzle.write_text(cli("puzzle", "6x6").out)
    graph.write_text("0 1\n1 2\n2 3\n3 0\n0 2\n")
    board.write_text("...\n...\n...\n...\n")
    cli("tour", graph, "-o", cycle := Path("cycle.txt"))
    for typed, meant in (
        (f"solve {graph}", f"tour {graph}"),
        (f"studio {tour}", f"draw {tour}"),
        (f"check {puzzle} --unique", f"solve {puzzle}"),
        (f"measure {board}", f"tour {board}"),
        (f"check {graph} {cycle}", f"check {cycle} --board {graph}"),
        (f"hint {puzzle}", f"solve {puzzle}"),
    ):
        one_error(cli(*typed.split()), f"try cavalcade {meant}")
    assert cli("check", cycle, "--board", graph).code == 0


@pytest.mark.parametrize("line", [example.line for example in examples()])
def test_the_examples_of_help_are_accepted(line: str) -> None:
    """Each command of an example, also in a pipe, is accepted as it is typed."""
    with click.Context(group, info_name="cavalcade") as context:
        assert accepts(context, line)


@pytest.mark.slow
def test_the_examples_of_help_do_what_they_say(tmp_path: Path) -> None:
    """Each example succeeds, or says that there is no tour, in a directory with the files that it reads."""
    (tmp_path / "shape.txt").write_text("##....\n......\n......\n......\n......\n......\n")
    (tmp_path / "links.csv").write_text("from,to,cost\na,b,1\nb,c,2\nc,d,1\nd,a,4\na,c,1\n")
    points = "".join(f"{k} {k * k} {k}\n" for k in range(1, 6))
    header = "NAME: five\nTYPE: TSP\nDIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\n"
    (tmp_path / "cities.tsp").write_text(f"{header}NODE_COORD_SECTION\n{points}EOF\n")
    for line in (example.line for example in examples()):
        if line not in {"cavalcade studio", "cavalcade sas solution1.sas"}:
            command = line.replace("cavalcade", f"{sys.executable} -m cavalcade")
            done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=False)
            assert done.returncode in {0, 1}, (line, done.stderr)


def test_every_command_has_an_example() -> None:
    assert [name for name in COMMANDS if not of_command(name)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_usage_error_ends_with_the_help_of_its_command(cli: Cli, name: str) -> None:
    for options in (["--nonsense"], ["--time-limit", "soon"]):
        one_error(cli(name, *options), f" (see cavalcade {name} --help)\n")


def test_the_eulerian_tours_of_6x6_are_counted_by_listing_all() -> None:
    """A half turn maps step k to step k + 18; of all 9,862 closed tours these are the symmetric ones."""
    eulerian = 0
    for tour in cavalcade.list_tours("6x6"):
        steps = tour.numbering
        eulerian += bool(((steps[::-1, ::-1] - steps) % 36 == 18).all())
    assert eulerian == cavalcade.count("6x6", symmetry="eulerian").count


def test_signs_that_may_mean_the_opposite_are_counted(cli: Cli, tmp_path: Path) -> None:
    """A heart of # on a field of . is read as holes, so the line says how many there are."""
    (tmp_path / "heart.txt").write_text(".#.#.\n#####\n#####\n.###.\n..#..\n")
    ran = cli("tour", tmp_path / "heart.txt")
    assert "has 9 cells (.) and 16 holes (#); if # marks the cells" in ran.err
    assert "--fewest-paths" in ran.err, "no closed walk exists"
    assert cli("best", tmp_path / "heart.txt", "--fewest-paths").code == 0
    (tmp_path / "frame.txt").write_text("#......\n" + ".......\n" * 5)
    assert "holes" not in cli("tour", tmp_path / "frame.txt").err
    drawn = cli("draw", tmp_path / "heart.txt", "-o", tmp_path / "heart.svg")
    assert "if # marks the cells" in drawn.err, "the picture alone may show the opposite"
    (tmp_path / "crosses.txt").write_text((tmp_path / "heart.txt").read_text().replace("#", "X"))
    assert "16 holes (X); if X marks the cells: tr '.X' '#.' <" in cli("tour", tmp_path / "crosses.txt").err


def test_answers_on_a_page_are_below_the_puzzle(cli: Cli, tmp_path: Path) -> None:
    assert (
        "puzzle does this without --answers"
        in cli("puzzle", "5x6", "--answers", "-o", tmp_path / "p.pdf").err
    )
    assert cli("puzzle", "5x6", "--answers", "-o", tmp_path / "p.svg").err.startswith(
        "solution of the closed"
    )


def test_the_command_that_takes_a_file_is_offered_with_the_rest_of_the_line(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cli("tour", "5x6", "-o", "t.txt")
    Path("w.txt").write_text("a1 b3 c5 d7\n")
    Path("b.txt").write_text("# A070030 closed tours of 3 X 2n\n4 0\n5 16\n")
    Path("style.css").write_text("path { stroke: red }\n")
    for typed, meant in (
        ("color t.txt rainbow -o p.png", "did you mean cavalcade draw t.txt --colour rainbow -o p.png?"),
        ("beautify t.txt -o p.png", "t.txt holds a tour: try cavalcade draw t.txt -o p.png"),
        ("info t.txt", "try cavalcade measure t.txt"),
        ("compare t.txt w.txt", "try cavalcade measure t.txt"),
        ("check t.txt --magic", "try cavalcade measure t.txt"),
        ("check t.txt t.txt", "try echo t.txt t.txt | xargs -n1 cavalcade check"),
        ("check 5x6 t.txt", "try cavalcade check t.txt --board 5x6"),
        ("puzzle 6x6 --text w.txt", "try cavalcade roesselsprung w.txt --board 6x6"),
        (
            "check b.txt",
            "b.txt holds a b-file, and sequences are computed: try cavalcade count 3xn --upto 20",
        ),
        ("puzzle t.txt", "a puzzle is made for a board: try cavalcade puzzle 6x6"),
        ("tour 8x8 --from w.txt", "w.txt holds a walk: try cavalcade continue w.txt 8x8"),
        ("complete w.txt", "try cavalcade continue w.txt 8x8"),
        ("draw t.txt --css style.css -o p.svg", "for example: cavalcade draw t.txt -o p.svg"),
        ("check t.txt --explain", "without it: cavalcade check t.txt"),
    ):
        one_error(cli(*typed.split()), meant)


def test_a_hidato_without_a_header_is_answered_with_its_options(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "h.txt").write_text("1 . .\n. . 6\n")
    ran = cli("solve", tmp_path / "h.txt")
    assert ran.code == 1
    assert "--kind" in ran.err
    assert "(a Hidato or a Numbrix needs --kind)" in cli("solve", tmp_path / "h.txt", "--open").err
    assert cli("solve", tmp_path / "h.txt", "--kind", "hidato").code == 0


def test_the_output_of_a_family_is_a_b_file(cli: Cli, tmp_path: Path) -> None:
    for option, name in (("-o", "b1.txt"), ("--bfile", "b2.txt")):
        assert cli("count", "3xn", "--upto", "12", option, tmp_path / name).code == 0
    text = (tmp_path / "b1.txt").read_text()
    assert text == (tmp_path / "b2.txt").read_text()
    assert text.endswith("10 16\n11 0\n12 176\n")
    one_error(cli("count", "3xn", "-o", tmp_path / "b.csv"), "side n")
    one_error(cli("count", "3xn", "-o", "b1.txt", "--bfile", "b2.txt"), "--output b1.txt")


def test_a_puzzle_is_not_checked_as_a_tour(cli: Cli, tmp_path: Path) -> None:
    assert cli("puzzle", "5x6", "-o", tmp_path / "p.txt").code == 0
    one_error(cli("check", tmp_path / "p.txt"), "cavalcade solve")
    (tmp_path / "numbers.txt").write_text("1 0 7 0\n0 23 0 0\n0 0 15 0\n0 12 0 3\n0 0 0 0\n0 0 0 0\n")
    line = f"cavalcade draw {tmp_path / 'numbers.txt'} --format tikz"
    one_error(cli("convert", tmp_path / "numbers.txt", "--format", "tikz"), line)
    assert "tikzpicture" in cli(*line.split()[1:]).out


def test_a_puzzle_without_a_closed_tour_may_be_open(cli: Cli) -> None:
    assert cli("puzzle", "5x5").err.endswith("An open tour exists: try --open.\n")
    assert "--open" not in cli("puzzle", "3x3").err


def test_the_walks_of_best_are_not_checked_as_tours(cli: Cli, tmp_path: Path) -> None:
    for options, advice in (("--longest", "a walk, not a tour"), ("--fewest-paths", "several paths")):
        assert cli("best", "5x5", options, "-o", tmp_path / "b.json").code == 0
        ran = cli("check", tmp_path / "b.json")
        assert advice in ran.out + ran.err
        assert ran.code in {1, 2}


def test_a_table_of_points_is_no_table_of_links(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("name,x,y\nA,0,0\nB,1,0\nC,1,1\nD,0,1\n")
    one_error(cli("tsp", tmp_path / "points.csv"), "NODE_COORD_SECTION")


def test_a_table_of_links_is_drawn_as_a_graph(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "links.csv").write_text("from,to\na,b\nb,c\nc,a\n")
    assert cli("draw", tmp_path / "links.csv").out.count('class="vertex"') == 3


def test_pairs_of_labels_are_drawn_as_a_graph_and_pictures_are_not_read(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("a b\nb c\nc a\n")
    assert cli("draw", tmp_path / "edges.txt").out.count('class="vertex"') == 3
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(9))
    one_error(cli("tour", tmp_path / "photo.png"), "photo.png is a picture")


def test_an_option_for_what_a_command_always_does_is_no_secret(cli: Cli) -> None:
    assert cli("sample", "6x6", "--uniform").err.startswith("sample does this without --uniform\n")


def test_a_format_is_named_by_its_ending(cli: Cli) -> None:
    assert cli("tour", "6x6", "--format", "tex") == cli("tour", "6x6", "--format", "tikz")


def test_a_text_in_quotes_is_put_on_a_board(cli: Cli) -> None:
    ran = cli("roesselsprung", "the quick brown fox jumps over the lazy dog", "--json")
    assert " ".join(json.loads(ran.out)["parts"]) == "the quick brown fox jumps over the lazy dog"


def test_no_hint_replaces_a_file_or_names_an_option_of_another_command(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("1")
    hint = one_hint(cli("convert", "6x6", tmp_path / "kept.txt"))
    assert ": try" not in hint
    assert "-o would replace this file" in hint
    assert ": try" in one_hint(cli("convert", "6x6", tmp_path / "new.txt"))
    (tmp_path / "old.svg").write_text("a picture is no input")
    assert ": try -o" in one_hint(cli("convert", "6x6", tmp_path / "old.svg"))
    assert ": try" not in one_hint(cli("continue", "8x8", "a1", "b3"))


def one_hint(ran: Ran) -> str:
    one_error(ran, "unexpected argument")
    return ran.err


def test_sentences_are_answered_with_the_command_that_takes_them(cli: Cli, tmp_path: Path) -> None:
    proof, poem = tmp_path / "proof.txt", tmp_path / "poem.txt"
    for question in ("4x10 --closed", "3x5 --open", "10x10 --closed --piece camel"):
        assert "-o " + str(proof.with_suffix(".json")) in cli("prove", *question.split(), "-o", proof).err
        one_error(cli("check", proof), "certificate", f"try cavalcade prove {question} -o proof.json")
        proof.unlink()
    poem.write_text("Once upon a midnight dreary\nwhile I pondered, weak and weary\n")
    for line in (["puzzle", poem], ["puzzle", "8x8", "--text", poem], ["cryptotour", poem]):
        one_error(cli(*line), f"cavalcade roesselsprung {poem}")


@pytest.mark.parametrize("verb", ["tour", "count", "list", "sample", "fewest turns"])
def test_open_tours_are_named_only_where_they_exist(cli: Cli, verb: str) -> None:
    """Chia and Ong: 5x5 has open tours, 4x4 has none; neither has a closed tour."""
    assert "An open tour exists: try --open." in cli(*verb.split(), "5x5").err
    assert "open tour" not in cli(*verb.split(), "4x4").err


def test_a_graph_is_no_puzzle(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "ring.txt").write_text("1 2\n2 3\n3 1\n")
    one_error(cli("solve", tmp_path / "ring.txt"), f"cavalcade tour {tmp_path / 'ring.txt'}")


def test_an_option_with_a_new_file_is_its_output(cli: Cli, tmp_path: Path) -> None:
    for option in ("--draw", "--svg", "--save", "--picture"):
        assert cli("tour", "6x6", option, tmp_path / f"x{option}.svg").code == 0
        assert (tmp_path / f"x{option}.svg").read_text().startswith("<svg")
    kept = tmp_path / "kept.svg"
    kept.write_text("kept")
    assert cli("tour", "6x6", "--draw", kept).code == 2
    assert kept.read_text() == "kept"


def test_no_file_is_left_out(cli: Cli, tmp_path: Path) -> None:
    """A second file, an option in place of a file and the ending of another format are refused."""
    first, second = (tmp_path / name for name in ("a.svg", "b.svg"))
    one_error(cli("tour", "6x6", "-o", first, "-o", second), "a line writes one file, not")
    one_error(cli("optgraph", "-o", "-t=6x6", "petersen"), "is an option, expected a file")
    one_error(cli("links", "6x6", "--format", "dimacs", "-o", tmp_path / "6x6.cnf"), "has the ending of cnf")
    assert list(tmp_path.iterdir()) == []


def test_a_graph_is_not_checked(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "r.g6").write_text("DQc\n")
    one_error(cli("check", tmp_path / "r.g6"), f"cavalcade tour {tmp_path / 'r.g6'}")


def test_columns_is_honoured_in_pipes(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in (50, 70):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = cli("prove", "3x6").out.splitlines()
        assert columns - 15 < max(map(len, lines)) <= columns


def test_every_topic_lists_its_table(cli: Cli) -> None:
    from cavalcade.boards.families import FAMILIES
    from cavalcade.formats.table import FORMATS
    from cavalcade.question.pieces import ALSO, NAMED
    from cavalcade.question.symmetry import ALIASES

    tables = {
        "boards": FAMILIES,
        "pieces": NAMED | ALSO,
        "symmetries": ALIASES,
        "formats": [row.name for row in FORMATS],
    }
    for topic, names in tables.items():
        text = cli("help", topic).out
        assert [name for name in names if name != "box" and f"  {name}" not in text] == [], topic
    specs = [line.split()[0] for line in cli("help", "boards").out.splitlines()[1:16]]
    assert all(parse_board(spec).size > 10 for spec in specs)


def test_a_pdf_is_a_file(cli: Cli, tmp_path: Path) -> None:
    assert cli("tour", "5x6", "--pdf", "-o", tmp_path / "tour") == (0, "", "")
    assert (tmp_path / "tour").read_bytes().startswith(b"%PDF")


def test_distant_words_are_not_suggested(cli: Cli) -> None:
    assert "did you mean" not in cli("tour", "8x8", "--clsdopn").err


def test_spellings_of_boards() -> None:
    for text in (
        "8x8",
        "8 x 8",
        "8*8",
        "8X8",
        "8 8",
        "8,8",
        "(8, 8)",
        "8 by 8",
        "8-by-8",
        "8 \N{MULTIPLICATION SIGN} 8",
    ):
        assert parse_board(text) == cavalcade.Board.box(8, 8), text
    assert parse_board("4 8 8 -1:a1") == parse_board("4x8x8-1:a1")
    assert parse_board("torus 5 x 7") == parse_board("torus:5x7")
    assert parse_board("hexagon 4 5 6") == parse_board("hexagon:4,5,6")
    for text in ("8x8 8", "8xx8", "moon 8 8", "8 x", "x8"):  # these are ambiguous
        assert spelled(text) == text
        with pytest.raises(cavalcade.CavalcadeError):
            parse_board(text)


def test_other_names_of_pieces_have_their_usual_moves() -> None:
    leaps_of = {
        "wazir": {(0, 1)},
        "ferz": {(1, 1)},
        "king": {(0, 1), (1, 1)},
        "dabbaba": {(0, 2)},
        "alfil": {(2, 2)},
    }
    leaps_of |= {"gnu": {(1, 2), (1, 3)}, "N": {(1, 2)}, "K": {(0, 1), (1, 1)}, "springer": {(1, 2)}}
    for name, leaps in leaps_of.items():
        assert {*parse_piece(name).leaps} == leaps
    assert all(parse_piece(parse_piece(name).spec) == parse_piece(name) for name in (*leaps_of, *NAMED))
    assert parse_piece("(1, 4)") == parse_piece("1 4") == parse_piece("1-4") == parse_piece("giraffe")


# ---- JSON of every verb


def test_every_verb_has_json_and_quiet(cli: Cli) -> None:
    for name in COMMANDS:
        help_text = cli(name, "--help").out
        assert "--json" in help_text, name
        assert "--quiet" in help_text, name


JSON = [
    ("tour 5x6", 0), ("tour 4x4", 1), ("prove 4x4", 1), ("count 5x6", 0), ("count 40x40", 3), ("list 5x6", 0),
    ("list 3x4", 1), ("sample 6x6 -n 2", 0), ("sample 6x6 -n 2 --measure", 0), ("sample 4x4", 1),
    ("draw 3x4", 0),
    ("check {tour}", 0), ("chain 8x8", 0), ("continue {tour}", 0), ("convert {tour}", 0), ("degrees 3x4", 0),
    ("fewest turns 6x6", 0), ("glue {tour} --levels 2", 0), ("links 3x4", 0), ("magic 3x6 --columns", 1),
    ("measure {tour}", 0), ("optgraph 5x6", 0), ("puzzle 6x6", 0), ("puzzle 4x4", 1), ("solve {puzzle}", 0),
    ("roesselsprung {text} --separator |", 0), ("symmetries 5x6", 0), ("theorem triangles", 0),
    ("tsp 5x6", 0),
    ("warnsdorff 8x8", 0), ("oeis 1xn -o {survey}", 0),
    ("survey {{m}}x5 for m in 5..6 -o {survey}", 0), ("reproduce gerlach2015", 0),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "code"), JSON)
def test_json_is_lines_of_json_whatever_the_answer(cli: Cli, tmp_path: Path, typed: str, code: int) -> None:
    files = {name: tmp_path / f"{name}.txt" for name in ("tour", "puzzle", "text")} | {
        "survey": tmp_path / "rows"
    }
    verdict, puzzle = cavalcade.tour("6x6"), cavalcade.puzzle("6x6")
    assert isinstance(verdict, cavalcade.Found)
    assert isinstance(puzzle, cavalcade.Puzzle)
    cavalcade.save(verdict.tour, files["tour"])
    files["puzzle"].write_text(cavalcade.write(puzzle))
    files["text"].write_text("Rö|ßlein, Rö|ßlein, Rö|ßlein rot")
    ran = cli(*(word.format(**files) for word in typed.split()), "--json", "--quiet")
    assert (ran.code, ran.err) == (code, "")
    objects = (
        [json.loads(ran.out)] if typed.startswith("reproduce") else [*map(json.loads, ran.out.splitlines())]
    )
    assert objects
    assert all(isinstance(record, dict) for record in objects)
    if code:
        assert objects[-1]["status"] == {1: "impossible", 3: "undecided"}[code]
        assert objects[-1]["reason"]


def test_the_solution_of_a_puzzle(cli: Cli, tmp_path: Path) -> None:
    puzzle = json.loads(cli("puzzle", "6x6", "--seed", 3, "--json").out)
    solution = json.loads(cli("puzzle", "6x6", "--seed", 3, "--solution", "--json").out)
    assert solution["cells"] == puzzle["solution"]
    assert all(solution["cells"][step - 1] == cell for cell, step in puzzle["given"].items())
    (tmp_path / "p.txt").write_text(cli("puzzle", "6x6", "--seed", 3).out)
    solved = json.loads(cli("solve", tmp_path / "p.txt", "--json").out)
    assert (solved["solutions"], solved["complete"]) == (1, True)
    assert sorted(solved["cells"]) == sorted(solution["cells"])


def test_an_undecided_answer_names_the_limit_to_raise(cli: Cli) -> None:
    assert cli("sample", "8x8", "--memory", "10M").err.endswith("try more than --memory 10M\n")
    late = cli("tour", "100x100-a1,b2", "--engine", "sat", "--time-limit", 2)
    assert (late.code, late.err.endswith("try --time-limit 20\n")) == (3, True)
    assert "--memory" not in cli("count", "40x40").err, "no limit helps"


# ---- files from Windows


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_files_written_by_powershell(cli: Cli, tmp_path: Path, encoding: str) -> None:
    """PowerShell 5 redirects output as UTF-16 with a byte order mark and CR LF."""
    verdict = cavalcade.tour("6x6")
    assert isinstance(verdict, cavalcade.Found)
    texts = {"tour.txt": cavalcade.write(verdict.tour), "ring.edges": "1 2\n2 3\n3 1\n"}
    texts |= {"two.g6": "D~{\nIheA@GUAo\n"} if encoding != "utf-8-sig" else {}
    for name, text in texts.items():
        mark = "\ufeff" if encoding == "utf-16-be" else ""
        (tmp_path / name).write_bytes((mark + text.replace("\n", "\r\n")).encode(encoding))
    assert cli("check", tmp_path / "tour.txt").code == 0
    assert cli("tour", tmp_path / "ring.edges").code == 0
    if "two.g6" in texts:
        answered = cli("tour", tmp_path / "two.g6").out
        assert [line.split("\t")[1] for line in answered.splitlines()] == ["found", "impossible"]


def test_a_command_reads_a_pipe_without_a_file() -> None:
    """As `cavalcade tour 5x6 | cavalcade check` does; from a terminal, the file is missing."""
    tour = "1 12 3\n4 9 6\n7 2 11\n10 5 8\n"
    for input_, code, word in ((tour, 0, "an open tour of 4x3"), ("", 2, "error")):
        run = subprocess.run(
            [sys.executable, "-m", "cavalcade", "check"],
            input=input_,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, word in run.stdout + run.stderr) == (code, True)
