"""Boards of your own: a picture, cells taken out, other pieces, and graphs that never were boards."""

import tempfile
from pathlib import Path

import networkx as nx

import cavalcade

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "board.txt"
    file.write_text("#....#\n......\n......\n......\n......\n#....#\n")
    print(cavalcade.tour(cavalcade.read_board(file)).status)

print(cavalcade.tour(cavalcade.board("8x8").without(["d4", "e5"]), piece="giraffe", open=True).status)
print(cavalcade.tour("cube:4").status)

graph = cavalcade.MoveGraph.from_networkx(nx.dodecahedral_graph())
verdict = cavalcade.tour(graph)
assert isinstance(verdict, cavalcade.Found)
print(verdict.tour.names)
print(cavalcade.prove(cavalcade.MoveGraph.from_networkx(nx.petersen_graph())).status)
