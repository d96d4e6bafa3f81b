"""The studio: a page in the browser to draw a board, ask about it, watch tours, walk them and save files.

the page      static/, plain ES modules; it shows answers and holds no rule of the game
server        one address of this machine, for anyone who has the token; every question goes to a worker
workers       processes, each with one question at a time; killed when it is stopped or takes too long
questions     what can be asked; an answer is plain data that becomes JSON
"""
