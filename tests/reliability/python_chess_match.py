"""A match under python-chess, reported in the format of the match runners."""

import argparse
import logging
import random
import re
import sys
import time

import chess
import chess.engine
import chess.pgn

# Seconds to wait for what takes no time.
TIMEOUT = 20.0

ENDS = {
    chess.Termination.CHECKMATE: "{winner} mates",
    chess.Termination.STALEMATE: "Draw by stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "Draw by insufficient mating material",
    chess.Termination.FIFTY_MOVES: "Draw by fifty moves rule",
    chess.Termination.THREEFOLD_REPETITION: "Draw by 3-fold repetition",
}
NAMES = {chess.WHITE: "White", chess.BLACK: "Black"}

# Complaints that say nothing about the engine: python-chess never sends SIGTERM, but refuses to
# promise it.
HABITS = re.compile(r"Rejecting feature sigterm=0$")


class Complaints(logging.Handler):
    """Prints what python-chess complains about as a warning."""

    def emit(self, record):
        if record.levelno >= logging.WARNING and not HABITS.search(record.getMessage()):
            print(f"Warning: {record.getMessage()}", flush=True)


def play(engines, board, base, increment, ponder):
    """Plays a game; returns why it ended."""
    clocks = {chess.WHITE: base, chess.BLACK: base}
    game = object()
    while not (outcome := board.outcome(claim_draw=True)):
        side = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        start = time.monotonic()
        try:
            result = engines[side].play(board, limit, game=game, ponder=ponder)
        except chess.engine.EngineTerminatedError:
            return f"{NAMES[side]} disconnects"
        except chess.engine.EngineError as error:
            return f"{NAMES[side]} makes an illegal move: {error}"
        except TimeoutError:
            return f"{NAMES[side]}'s connection stalls"
        clocks[side] += increment - (time.monotonic() - start)
        if clocks[side] < increment:
            return f"{NAMES[side]} loses on time"
        if result.move is None:
            return f"{NAMES[side]} makes no move in {board.fen()}"
        board.push(result.move)
    return ENDS[outcome.termination].format(winner=NAMES.get(outcome.winner))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--engine", "--protocol", "--clock", "--variant", "--openings"):
        parser.add_argument(name, required=True)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--ponder", action="store_true")
    options = parser.parse_args()
    logging.getLogger("chess.engine").addHandler(Complaints())
    logging.getLogger("chess.engine").propagate = False
    simple = chess.engine.SimpleEngine
    popen = {"uci": simple.popen_uci, "cecp": simple.popen_xboard}[options.protocol]
    base, increment = map(float, options.clock.split("+"))
    with open(options.openings, encoding="ascii") as file:
        fens = random.Random(1).sample(file.read().splitlines(), (options.games + 1) // 2)
    with open("games.pgn", "w", encoding="ascii") as pgn:
        for number in range(options.games):
            engines = [popen(options.engine, timeout=TIMEOUT) for _ in range(2)]
            sides = dict(zip((chess.WHITE, chess.BLACK), engines))
            board = chess.Board(fens[number // 2], chess960=options.variant == "fischerandom")
            end = play(sides, board, base, increment, options.ponder)
            # If an engine has lost by a fault, the board has no result.
            result = board.result(claim_draw=True)
            print(f"Finished game {number + 1} (A vs B): {result} {{{end}}}", flush=True)
            print(chess.pgn.Game.from_board(board), end="\n\n", file=pgn, flush=True)
            for engine in engines:
                engine.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
