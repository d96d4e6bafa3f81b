"""An interpreter for a subset of SAS: the macro language, the DATA step and a few procedures.

It runs the programs of the papers where there is no SAS. `Session.run` executes a program as SAS does: the
macro processor expands only up to the next statement, and a step runs as soon as its last statement is read.
So `%if &solved.` depends on the step before it. `refusals` names what is not supported before anything runs.

`docs/sas.md` lists what is supported and where results may differ from SAS.
"""
