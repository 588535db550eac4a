"""Pairs of games between two settings of one engine."""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile


def points_ahead(args, plus, minus, seed, concurrency):
    """Points by which the settings `plus` are ahead of `minus` after `args.pairs` pairs of games.

    `args` has the `engine`, the `openings` (EPD) and the `limit` too: nodes=N or tc=SECONDS+INCREMENT,
    played by fastchess, or clock=SECONDS+INCREMENT@NODES, a clock that counts nodes.
    """
    if args.limit.startswith("clock="):
        # Imported only here: it needs python-chess, which the other limits do not.
        from node_clock import Clock, play_pair, read_openings

        clock = Clock(args.limit.removeprefix("clock="))
        sides = [(args.engine, values) for values in (plus, minus)]
        openings = read_openings(args.openings)
        lots = [f"{seed}/{number}" for number in range(args.pairs)]
        with concurrent.futures.ThreadPoolExecutor(concurrency) as pool:
            points = pool.map(lambda lot: play_pair(*sides, clock, openings, lot), lots)
            return sum(round(2 * won - 2) for won in points)

    def player(name, values):
        return ["-engine", f"cmd={os.path.abspath(args.engine)}", f"name={name}"] + [
            f"option.{key}={value}" for key, value in values.items()
        ]

    clock = [args.limit] if args.limit.startswith("tc=") else ["tc=inf", args.limit]
    command = ["fastchess", *player("plus", plus), *player("minus", minus)]
    command += ["-each", *clock, "option.Hash=16", "-rounds", str(args.pairs), "-games", "2", "-repeat"]
    command += ["-concurrency", str(concurrency), "-recover", "-srand", str(seed)]
    command += ["-openings", f"file={os.path.abspath(args.openings)}", "format=epd", "order=random"]
    # In a folder of its own: fastchess leaves its configuration behind.
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(command, capture_output=True, text=True, cwd=scratch)
    score = re.findall(r"Wins: (\d+), Losses: (\d+)", done.stdout)
    # A score before the end is not that of the match.
    if done.returncode != 0 or not score:
        sys.exit("fastchess says:\n" + "\n".join(done.stdout.splitlines()[-10:]))
    wins, losses = map(int, score[-1])
    return wins - losses
