"""Games on clocks that count nodes: a millisecond is as many nodes as the option `nodestime` says.

Such a game is the same on every machine, however busy, and takes as long as its nodes.
Needs python-chess (`pip install chess`, or the `.venv` that `tests/run` makes).
"""

import math
import random
import re
import subprocess
import sys

import chess

WIN = (800, 4)  # centipawns, and for how many plies both sides must see them
DRAW = (8, 8, 80)  # the same for a draw, and the first ply of the game at which it counts


class Clock:
    """The time control of both sides: `8+0.08@50` is 8 s and 0.08 s per move, at 50 nodes per millisecond."""

    def __init__(self, text):
        times, rate = text.split("@")
        self.rate = int(rate)
        self.base, self.increment = (round(float(part) * 1000) for part in times.split("+"))


class Player:
    """An engine that speaks UCI and counts its clock in nodes."""

    def __init__(self, path, rate, options):
        self.rate = rate
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        settings = {"Hash": 16, "nodestime": rate, **options}
        self.send("uci", *(f"setoption name {name} value {value}" for name, value in settings.items()))

    def send(self, *lines):
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def move(self, start, moves, clocks, increment):
        """The move it plays, its score in centipawns and the milliseconds that it took."""
        white, black = (max(1, int(clocks[side])) for side in (chess.WHITE, chess.BLACK))
        self.send(
            f"position fen {start} moves {' '.join(moves)}",
            f"go wtime {white} btime {black} winc {increment} binc {increment}",
        )
        thought = ""
        for line in self.process.stdout:
            if line.startswith("bestmove"):
                nodes = int(re.search(r" nodes (\d+)", thought)[1])
                kind, value = re.search(r" score (cp|mate) (-?\d+)", thought).groups()
                score = int(value) if kind == "cp" else math.copysign(10_000, float(value))
                return line.split()[1], score, nodes / self.rate
            if " pv " in line:
                thought = line
        raise RuntimeError("the engine has ended")

    def close(self):
        self.send("quit")
        self.process.wait()


def play(players, opening, clock):
    """White's points from a game of `players` (white, black): 0, 0.5 or 1."""
    board = chess.Board(opening)
    clocks = {chess.WHITE: clock.base, chess.BLACK: clock.base}
    moves, scores = [], []
    for player in players:
        player.send("ucinewgame")
    while not (board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= 100):
        side = board.turn
        move, score, used = players[0 if side else 1].move(
            opening, moves, clocks, clock.increment
        )
        clocks[side] -= used
        if clocks[side] < 0:
            color = chess.COLOR_NAMES[side].capitalize()
            print(f"{color}'s flag fell at move {board.fullmove_number}: {opening}", file=sys.stderr)
            return 0 if side else 1
        clocks[side] += clock.increment
        moves.append(move)
        board.push_uci(move)
        scores.append(score if side else -score)
        verdict = adjudicated(scores)
        if verdict is not None:
            return verdict
    if board.is_checkmate():
        return 0 if board.turn else 1
    return 0.5


def adjudicated(scores):
    """White's points if the scores, from White, agree on them; else None."""
    limit, plies = WIN
    last = scores[-plies:]
    if len(last) == plies and min(last) >= limit:
        return 1
    if len(last) == plies and max(last) <= -limit:
        return 0
    limit, plies, begin = DRAW
    if len(scores) >= begin and all(abs(score) <= limit for score in scores[-plies:]):
        return 0.5
    return None


def read_openings(path):
    """The positions of an EPD file, as its lines."""
    with open(path, encoding="utf-8") as file:
        return [line for line in file if line.strip()]


def play_pair(first, second, clock, openings, lot):
    """Points of `first`, 0 to 2, in two games from an opening chosen by `lot`, one with each colour.

    A side is the path of an engine and its options; `openings` are those of `read_openings`.
    """
    fields = random.Random(lot).choice(openings).split(";")[0].split()
    opening = " ".join([*fields[:4], "0", "1"])
    sides = [Player(path, clock.rate, options) for path, options in (first, second)]
    try:
        return play(sides, opening, clock) + 1 - play(sides[::-1], opening, clock)
    finally:
        for side in sides:
            side.close()
