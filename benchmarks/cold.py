"""Read a file once in this process, nothing read before: ``python cold.py KEY FILE`` prints plies and seconds.

KEY is the key of a game, or ``python-chess``. What is imported is imported before the clock, the processor's
own, starts.
"""

import sys
import time


def main() -> None:
    """Read the file named and print how many plies it holds and how long that took."""
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
