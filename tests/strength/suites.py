#!/usr/bin/env python3
"""Runs UCI engines through test suites (EPD: bm, am, points in c0), side by side: a table of what each solves.

The engines work at the same time, each on a core of its own, with one thread; each position is a new game.
Engines that have the option UCI_AnalyseMode are put into analysis mode.
`orthrus epd` reports more about Orthrus alone; this one is for comparing. Needs python-chess.
"""

import argparse
import concurrent.futures
import os

import chess
import chess.engine


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--movetime", type=int, default=1000, help="milliseconds per position")
    parser.add_argument("--nodes", type=int, help="nodes per position instead")
    parser.add_argument("--hash", type=int, default=64, help="MiB")
    parser.add_argument("--engine", action="append", required=True, help="command of a UCI engine; may be repeated")
    parser.add_argument("--failures", action="store_true", help="name the positions not solved, and the move found")
    parser.add_argument("suites", nargs="+", metavar="SUITE", help="EPD file")
    return parser.parse_args()


def read_suite(path):
    """The positions of a suite: board and operations."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return [chess.Board.from_epd(line) for line in lines if line and not line.startswith("#")]


def points(board, move, operations):
    """Points of the move by c0 ("f5=10, Be5+=2") and of the best move; both 0 without c0 points."""
    worth = {}
    for part in str(operations.get("c0", "")).split(","):
        san, found, value = part.strip().rpartition("=")
        if found and value.isdigit():
            worth[board.parse_san(san)] = int(value)
    return worth.get(move, 0), max(worth.values(), default=0)


def solves(move, operations):
    best, bad = operations.get("bm", []), operations.get("am", [])
    if not best and not bad:
        raise ValueError(f"nothing to find: {operations.get('id', 'a position')} has neither bm nor am")
    return (not best or move in best) and move not in bad


def run(command, suite, limit, args):
    """Solved, points, points available, and the failures of one engine on one suite."""
    solved, won, most, failures = 0, 0, 0, []
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        engine.configure({"Threads": 1, "Hash": args.hash})
        for number, (board, operations) in enumerate(suite):
            with engine.analysis(board, limit, game=number) as analysis:
                move = analysis.wait().move
            gained, available = points(board, move, operations)
            won += gained
            most += available
            if solves(move, operations):
                solved += 1
            else:
                failures.append(f"{operations.get('id', board.fen())}: {board.san(move)}")
    return solved, won, most, failures


def main():
    args = arguments()
    limit = chess.engine.Limit(nodes=args.nodes) if args.nodes else chess.engine.Limit(time=args.movetime / 1000)
    each = f"{args.nodes} nodes" if args.nodes else f"{args.movetime} ms"
    print(f"{each} a position, one thread, Hash {args.hash}\n")
    print("| suite | engine | solved | points |\n|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(len(args.engine)) as pool:
        for path in args.suites:
            suite = read_suite(path)
            runs = [pool.submit(run, command, suite, limit, args) for command in args.engine]
            for command, future in zip(args.engine, runs):
                solved, won, most, failures = future.result()
                names = f"{os.path.basename(path)} | {os.path.basename(command)}"
                print(f"| {names} | {solved} of {len(suite)} | {f'{won} of {most}' if most else ''} |", flush=True)
                if args.failures:
                    print("".join(f"  {failure}\n" for failure in failures), end="")


if __name__ == "__main__":
    main()
