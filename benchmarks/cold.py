"""Read a file once in a process that has read nothing before: ``python cold.py KEY FILE`` prints plies and seconds.

KEY is the key of a game, or ``python-chess``. Everything is imported before the clock
starts, which counts processor time.
"""

import sys
import time


def main() -> None:
    """Read the file that is named on the command line, by the rules of the game named before it, and print its plies
    and the seconds that took.
    """
    key, path = sys.argv[1:]
    if key == "python-chess":
        from rival_chess import plies_of
    else:
        from reading import plies_of

        from cartulary.notation import find_game

        assert key == find_game(key).about.key
    start = time.process_time()
    plies = plies_of(path)
    print(plies, time.process_time() - start)


if __name__ == "__main__":
    main()
