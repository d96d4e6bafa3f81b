"""Surveys: one question about every board of a family, stored as a table that survives a crash.

`families` parses the family, `rows` answers one question, `batches` stores the rows in files, `running`
distributes the batches to workers, `verifying` checks the results, and `showing` summarizes them.
"""
