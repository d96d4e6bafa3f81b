"""The commands in groups, each with a summary that fits on its line of `cavalcade --help`.

The help of all commands is printed and completed from this table, so that no command is imported for it.
"""

from __future__ import annotations

MENU: dict[str, dict[str, str]] = {
    "Ask": {
        "tour": "Find a tour, closed or open.",
        "prove": "Prove that a board has no tour, step by step.",
        "count": "Count all tours, of one board or of 3xn for every n.",
        "list": "List all tours, each once.",
        "sample": "Draw tours at random, all equally likely.",
    },
    "See": {
        "draw": "Draw a tour, a proof or a board: SVG, PNG, PDF, GIF, TikZ.",
        "puzzle": "Make puzzles and worksheets: a tour with numbers missing.",
        "roesselsprung": "Hide a text on a board, along a tour.",
        "studio": "Draw boards, ask and play in the browser.",
    },
    "Files": {
        "check": "Check a tour, a proof, a count or a survey.",
        "convert": "Write a tour, a board or a graph in another format.",
        "measure": "Measure tours: turns, crossings, areas, symmetries.",
        "solve": "Solve a puzzle, and say whether it has one solution.",
        "links": "Write a list of all moves of a board, for other programs.",
        "schema": "Print the JSON Schema of what --json prints.",
    },
    "Search": {
        "best": "Find what is closest to a tour, such as a longest path.",
        "fewest": "Find a tour with the fewest turns, crossings or angles.",
        "uncrossed": "Find the longest walk that does not cross itself.",
        "magic": "List the tours whose rows and columns have equal sums.",
        "continue": "Continue a walk to a tour, or say where it went wrong.",
        "connected": "Find all pairs of cells that open tours join.",
        "decompose": "Split all moves into tours.",
        "tsp": "Find a tour of least total weight.",
        "warnsdorff": "Walk by Warnsdorff's rule.",
        "trace": "Print the steps of a walk and the choices at each step.",
    },
    "Boards": {
        "degrees": "Count the moves from every cell.",
        "symmetries": "List the symmetries of a board.",
        "survey": "Ask one question about every board of a family.",
        "theorem": "Check the facts on which a theorem rests.",
    },
    "Papers": {
        "reproduce": "Recompute everything that a paper prints, and compare.",
        "chain": "Tour a stack of boards level by level.",
        "glue": "Join closed tours of the levels of a stack.",
        "optgraph": "Print the tables of PROC OPTGRAPH in SAS.",
        "sas": "Run a SAS program without SAS.",
    },
}
SUMMARIES = {name: summary for group in MENU.values() for name, summary in group.items()}
