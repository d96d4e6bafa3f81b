"""Surveys: one question about every board of a family, as rows of a table that survives a crash.

`families` reads what is asked about, `rows` answers one question, `batches` keeps the rows in files,
`running` gives the batches to workers, `verifying` checks what came out, and `showing` looks at it.
"""
