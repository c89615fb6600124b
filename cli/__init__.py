"""The command line: typer commands, one call of the layers below each; all colour, width and exit codes."""
