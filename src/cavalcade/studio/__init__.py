"""The studio: a page in the browser on which a board is drawn, asked about, watched, walked and taken away.

the page      static/, plain ES modules; it shows what it is told and holds no rule of the game
server        one address of this machine, for who has the token; every question goes to a worker
workers       processes, each with one question at a time; they end when they are told to, or too late
questions     what can be asked; an answer is plain data that becomes JSON
"""
