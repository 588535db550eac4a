#!/usr/bin/env python3
"""Tunes the search parameters by SPSA (James Spall; Rémi Coulom and Joona Kiiski for chess).

Each iteration moves all parameters a little at random, plays the two opposite sets against each other, and
shifts every parameter towards the side that won. It takes a build with the feature `tune`
(`cargo build --release --features orthrus-core/tune -p orthrus`) and fastchess on the path.

The state is written after each iteration: the same command goes on where it was interrupted. What it
finds is not an improvement until a sequential test (sprt.sh) says so.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys

from paired_games import points_ahead

ALPHA, GAMMA = 0.602, 0.101  # how gain and step shrink: Spall's recommendation
# Lower-case words joined by underscores: no option for users has such a name.
OPTION = re.compile(r"option name ([a-z]+(?:_[a-z]+)+) type spin default (-?\d+) min (-?\d+) max (-?\d+)")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="a build with the feature `tune`")
    parser.add_argument("openings", help="EPD file")
    parser.add_argument("state", help="JSON file of the run; continued if it exists")
    parser.add_argument("--only", help="regular expression: the parameters to tune (default: all)", default="")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--pairs", type=int, default=8, help="pairs of games per iteration")
    parser.add_argument("--limit", default="nodes=10000", help="nodes=N, tc=8+0.08, or clock=8+0.08@50 (nodes per ms)")
    parser.add_argument(
        "--gain",
        type=float,
        default=0.002,
        help="shift per point, in steps, at the last iteration (default: OpenBench's 0.002)",
    )
    parser.add_argument(
        "--steps",
        type=int,
        default=20,
        help="steps in the range of a parameter, at the last iteration; a short run needs fewer, longer ones (default: 20)",
    )
    parser.add_argument("--concurrency", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def numbers(engine, only):
    """What the engine lets us set: name -> value, least, largest."""
    said = subprocess.run([engine], input="uci\nquit\n", capture_output=True, text=True, check=True).stdout
    found = {}
    for name, *values in OPTION.findall(said):
        value, least, largest = map(int, values)
        if re.search(only, name) and least < largest:
            found[name] = {"start": value, "value": float(value), "min": least, "max": largest}
    if not found:
        sys.exit(f"{engine} offers no search parameters: is it built with the feature `tune`?")
    return found


def rounded(value, number, draw):
    """A whole number near `value`, chosen at random in proportion, so that small shifts count too."""
    low = int(value // 1)
    value = low + (draw.random() < value - low)
    return max(number["min"], min(number["max"], value))


def iterate(args, state):
    k, total = state["iteration"], args.iterations
    draw = random.Random(f"{args.seed} {k}")
    stability = total / 10
    plus, minus, moves = {}, {}, {}
    for name, number in state["numbers"].items():
        step_at_end = (number["max"] - number["min"]) / args.steps
        step = step_at_end * (total / (k + 1)) ** GAMMA
        gain = args.gain * step_at_end**2 * ((stability + total) / (stability + k + 1)) ** ALPHA
        sign = draw.choice((-1, 1))
        plus[name] = rounded(number["value"] + sign * step, number, draw)
        minus[name] = rounded(number["value"] - sign * step, number, draw)
        moves[name] = sign * gain / step
    ahead = points_ahead(args, plus, minus, args.seed + k, args.concurrency)
    for name, number in state["numbers"].items():
        value = number["value"] + moves[name] * ahead
        number["value"] = max(number["min"], min(number["max"], value))
    state["iteration"] = k + 1
    return ahead


def main():
    args = arguments()
    if os.path.exists(args.state):
        with open(args.state, encoding="utf-8") as file:
            state = json.load(file)
    else:
        state = {"iteration": 0, "numbers": numbers(args.engine, args.only)}
    while state["iteration"] < args.iterations:
        ahead = iterate(args, state)
        with open(args.state + ".new", "w", encoding="utf-8") as file:
            json.dump(state, file, indent=1)
        os.replace(args.state + ".new", args.state)
        print(f"iteration {state['iteration']} of {args.iterations}: {ahead:+d}", flush=True)
    for name, number in state["numbers"].items():
        print(f"{name} {number['start']} -> {round(number['value'])}  ({number['value']:.2f})")


if __name__ == "__main__":
    main()
