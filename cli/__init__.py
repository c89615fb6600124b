"""The command line: typer commands, each one call of the layers below; all colour, width and exit codes."""
