"""One command in each file, named like it; `cavalcade.cli.command` says how a command is declared."""
