"""What the client tests share: the engines, games with clocks, and a check for complaints."""

import contextlib
import glob
import logging
import os
import pathlib
import shutil
import sys
import time
import unittest

import chess
import chess.engine

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "reliability"))

from python_chess_match import HABITS

# The engine under test; set by run.py.
ORTHRUS = None

# The tests expect programs' messages in English.
os.environ["LC_ALL"] = "C.UTF-8"
# Debian keeps games out of root's search path.
os.environ["PATH"] += os.pathsep + "/usr/games"

# Seconds to wait for an answer that should take no time at all.
TIMEOUT = 20.0

# Plies after which a game has shown enough.
LONG_ENOUGH = 400


def needs(program):
    """Skips a test if a program is not installed."""
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class Complaints(logging.Handler):
    """Collects python-chess's complaints: unknown lines, wrong values, errors."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []

    def emit(self, record):
        message = record.getMessage()
        if not HABITS.search(message):
            self.messages.append(message)


def kept_waiting(processes):
    """Seconds so far in which the threads of processes were ready to run but got no processor.

    Close to nothing on an idle machine; 0 if the system does not report it.
    """
    delay = 0
    for process in processes:
        for file in glob.glob(f"/proc/{process}/task/*/schedstat"):
            # A thread may end between the two steps.
            with contextlib.suppress(OSError), open(file, encoding="ascii") as stats:
                delay += int(stats.read().split()[1])
    return delay / 1e9


class ClientTest(unittest.TestCase):
    """A test during which python-chess must not complain."""

    def setUp(self):
        self.complaints = Complaints()
        logger = logging.getLogger("chess.engine")
        logger.addHandler(self.complaints)
        logger.propagate = False
        self.addCleanup(logger.removeHandler, self.complaints)

    def tearDown(self):
        self.assertEqual(self.complaints.messages, [])

    def start(self, open_engine):
        """An engine that is asked to quit, and must end, when the test does."""
        engine = open_engine()
        self.addCleanup(engine.close)
        return engine

    def finish(self, *opened):
        """Quits engines; each must end on its own."""
        for engine in opened:
            engine.quit()

    def play_game(self, white, black, board=None, base=1.0, ponder=False, partner=None):
        """Plays a game to its end and returns the board.

        Fails if a side exceeds its time. python-chess itself raises an error for a move that is
        not legal. The client's own time is on the engine's clock, as in real games; the time for
        which other programs had the processor is not. A sparring `partner` takes a fixed time
        for each move: its clock is not tested.
        """
        increment = 0.02
        board = board or chess.Board()
        engines = {chess.WHITE: white, chess.BLACK: black}
        clocks = {chess.WHITE: base, chess.BLACK: base}
        game = object()
        while not board.is_game_over(claim_draw=True) and board.ply() < LONG_ENOUGH:
            side = board.turn
            limit = chess.engine.Limit(
                white_clock=clocks[chess.WHITE],
                black_clock=clocks[chess.BLACK],
                white_inc=increment,
                black_inc=increment,
            )
            if engines[side] is partner:
                limit = chess.engine.Limit(time=0.02)
            own = [os.getpid(), engines[side].transport.get_pid()]
            start, waited = time.monotonic(), kept_waiting(own)
            result = engines[side].play(board, limit, game=game, ponder=ponder)
            taken = time.monotonic() - start - (kept_waiting(own) - waited)
            if engines[side] is not partner:
                took = f"took {taken:.3f} s of {clocks[side]:.3f} s in {board.fen()}"
                self.assertLessEqual(taken, clocks[side], took)
                clocks[side] += increment - taken
            self.assertFalse(result.resigned, f"resigned in {board.fen()}")
            self.assertIsNotNone(result.move, f"no move in {board.fen()}")
            board.push(result.move)
        return board


def orthrus_uci():
    return chess.engine.SimpleEngine.popen_uci(ORTHRUS, timeout=TIMEOUT)


def orthrus_cecp():
    return chess.engine.SimpleEngine.popen_xboard(ORTHRUS, timeout=TIMEOUT)


def weak_stockfish():
    """Stockfish at the lowest strength it has."""
    engine = chess.engine.SimpleEngine.popen_uci(shutil.which("stockfish"), timeout=TIMEOUT)
    engine.configure({"Skill Level": 0})
    return engine
