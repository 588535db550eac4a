#!/usr/bin/env python3
"""Estimates what many changes of the search are worth from the same games (a factorial experiment).

Each match of a few pairs of games is played by two opposite halves: every change is on at one side, chosen
at random, and off at the other. So all games say something about every change, while separate matches would
each need as many. The result is a choice of what to try, not a proof: sprt.sh gives that.

It takes a build with the feature `tune` (`cargo build --release --features orthrus-core/tune -p orthrus`)
and fastchess on the path. The results are written after each match of a few games: the same command goes
on where it was interrupted, and several can run side by side with files and seeds of their own:

    tests/strength/screen.py --report --results first.jsonl --results second.jsonl

adds their files up.
"""

import argparse
import json
import math
import os
import random
import re
import sys

from paired_games import points_ahead

ELO_PER_POINT = 1600 / math.log(10) / 2  # slope of Elo at an even score, per point won less point lost
CONFIDENCE = 1.96  # standard errors to either side of a 95 % interval


def change(text):
    """The name of NAME=ON:OFF, or of several joined by +, and for each of them the name and the two values."""
    found = [re.fullmatch(r"([^=]+)=([^:]+):([^:]+)", number) for number in text.split("+")]
    if not all(found):
        raise argparse.ArgumentTypeError(f"not NAME=ON:OFF: {text}")
    numbers = [number.groups() for number in found]
    return "+".join(name for name, _, _ in numbers), numbers


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", help="a build with the feature `tune`")
    parser.add_argument("--openings", help="EPD file")
    parser.add_argument("--results", action="append", required=True, help="file of results; with --report several")
    parser.add_argument("--report", action="store_true", help="play nothing, show what the files say")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--pairs", type=int, default=2, help="pairs of games per match")
    parser.add_argument("--limit", default="nodes=10000", help="nodes=N, tc=8+0.08, or clock=8+0.08@50 (nodes per ms)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "changes",
        nargs="*",
        type=change,
        metavar="NAME=ON:OFF",
        help="a search parameter and its two values; + joins those that are switched together",
    )
    args = parser.parse_args()
    if not args.report:
        if not (args.engine and args.openings and args.changes):
            parser.error("games need --engine, --openings and at least one change NAME=ON:OFF")
        if len(args.results) > 1:
            parser.error("games go into one file of results")
    return args


def read(paths):
    matches = []
    for path in paths:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                matches += map(json.loads, file)
    return matches


def report(matches):
    """Elo of each change: the mean of the results with the sign of the side that had it."""
    games = sum(match["games"] for match in matches)
    mean_square = sum(match["ahead"] ** 2 for match in matches) / len(matches)
    error = CONFIDENCE * math.sqrt(mean_square / len(matches)) * ELO_PER_POINT
    effects = {
        name: sum(match["signs"][name] * match["ahead"] for match in matches) / len(matches) * ELO_PER_POINT
        for name in matches[0]["signs"]
    }
    print(f"{games} games, each estimate +-{error:.1f} Elo")
    for name, elo in sorted(effects.items(), key=lambda item: -item[1]):
        print(f"{elo:+7.1f} {name}", flush=True)


def main():
    args = arguments()
    matches = read(args.results)
    if not args.report:
        changes = dict(args.changes)
        while sum(match["games"] for match in matches) < args.games:
            number = len(matches)
            draw = random.Random(f"{args.seed} {number}")
            signs = {name: draw.choice((-1, 1)) for name in changes}
            switched = [(signs[name], *number) for name, numbers in changes.items() for number in numbers]
            plus = {number: on if sign > 0 else off for sign, number, on, off in switched}
            minus = {number: off if sign > 0 else on for sign, number, on, off in switched}
            points = points_ahead(args, plus, minus, args.seed * 100_000 + number, concurrency=1)
            games = 2 * args.pairs
            matches.append({"games": games, "ahead": points / games, "signs": signs})
            with open(args.results[0], "a", encoding="utf-8") as file:
                file.write(json.dumps(matches[-1]) + "\n")
            if len(matches) % 50 == 0:
                report(matches)
    if not matches:
        sys.exit("no results to report")
    report(matches)


if __name__ == "__main__":
    main()
