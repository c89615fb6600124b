"""Read a file of PGN with python-chess, and write its games where a second file is named."""

import sys

import chess.pgn


def main() -> None:
    """Read every game of the file that is named first; write each to the second, if there is one."""
    path, *out = sys.argv[1:]
    with open(path, encoding="utf-8") as file, open(out[0] if out else "/dev/null", "w", encoding="utf-8") as written:
        while (game := chess.pgn.read_game(file)) is not None:
            if out:
                print(game, file=written, end="\n\n")


if __name__ == "__main__":
    main()
