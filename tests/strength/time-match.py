#!/usr/bin/env python3
"""Plays a match on clocks that count nodes: measures a change of time management, on any machine.

Paired openings, colours swapped, with a sequential test (SPRT, pentanomial). The results are written
after each pair of games: the same command goes on where it was interrupted. Needs python-chess.
"""

import argparse
import concurrent.futures
import json
import math
import os
import threading

from node_clock import Clock, play_pair, read_openings
from sequential_test import decided, log_likelihood_ratio

CONFIDENCE = 1.96  # standard errors on either side of the mean, for 95 %


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--openings", required=True, help="EPD file")
    parser.add_argument("--results", required=True, help="file of results, one pair of games per line")
    parser.add_argument("--clock", type=Clock, default="8+0.08@50", help="seconds, and nodes per millisecond")
    parser.add_argument("--games", type=int, default=4000, help="at most this many")
    parser.add_argument("--bounds", type=float, nargs=2, default=[0, 5], help="normalized Elo of either hypothesis")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="games at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("new", help="engine under test")
    parser.add_argument("base", help="engine that it is compared with")
    parser.add_argument("options", nargs="*", metavar="NAME=VALUE", help="options of the new engine only")
    return parser.parse_args()


def report(results, bounds):
    """Prints where the match stands; returns whether it is decided."""
    shares = [points / 2 for points in results]
    mean = sum(shares) / len(shares)
    error = CONFIDENCE * math.sqrt(sum((share - mean) ** 2 for share in shares)) / len(shares)
    elo = [-400 * math.log10(1 / min(max(s, 1e-6), 1 - 1e-6) - 1) for s in (mean - error, mean, mean + error)]
    penta = [results.count(points) for points in (0, 0.5, 1, 1.5, 2)]
    ratio = log_likelihood_ratio(penta, bounds)
    print(
        f"Elo {elo[1]:+.1f} +-{(elo[2] - elo[0]) / 2:.1f}, LLR {ratio:.2f}, "
        f"games {2 * len(results)}, penta {penta}",
        flush=True,
    )
    return decided(ratio)


def main():
    args = arguments()
    options = dict(option.split("=", 1) for option in args.options)
    openings = read_openings(args.openings)
    results = {}
    if os.path.exists(args.results):
        with open(args.results, encoding="utf-8") as file:
            results = {pair["number"]: pair["points"] for pair in map(json.loads, file)}
    todo = iter(number for number in range(args.games // 2) if number not in results)
    lock = threading.Lock()
    over = threading.Event()

    def work():
        try:
            play_pairs()
        finally:
            # Also if it failed: the others play their pairs to the end, and the results are reported.
            over.set()

    def play_pairs():
        while not over.is_set():
            with lock:
                number = next(todo, None)
            if number is None:
                return
            lot = f"{args.seed}/{number}"
            points = play_pair((args.new, options), (args.base, {}), args.clock, openings, lot)
            with lock, open(args.results, "a", encoding="utf-8") as file:
                json.dump({"number": number, "points": points}, file)
                file.write("\n")
                results[number] = points
                if len(results) % 50 == 0 and report(list(results.values()), args.bounds):
                    over.set()

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        workers = [pool.submit(work) for _ in range(args.jobs)]
    if results:
        report(list(results.values()), args.bounds)
    for worker in workers:
        worker.result()


if __name__ == "__main__":
    main()
