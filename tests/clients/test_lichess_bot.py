"""Games as lichess-bot plays them: what its wrapper of python-chess's engines calls, in its order, with
the options of docs/clients.md and those that its own configuration begins with."""

import pathlib
import re
import time
from unittest import mock

import chess
import chess.engine

import engines
from engines import ClientTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = str(ROOT / "tests" / "data" / "syzygy")

# What lichess-bot's configuration names for an engine unless its owner changes it. The folder is one
# that a new installation does not have.
DEFAULTS = {
    "uci": {
        "Move Overhead": 100,
        "Threads": 4,
        "Hash": 512,
        "SyzygyPath": "./syzygy/",
        "UCI_ShowWDL": True,
    },
    "xboard": {"cores": 4, "memory": 512},
}
TITLES = [None, "GM", "BOT"]


def documented():
    """The options for lichess-bot in docs/clients.md, by protocol."""
    page = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    options = {}
    for protocol, lines in re.findall(r"^  (uci|xboard)_options:\n((?:    .*\n)+)", page, re.MULTILINE):
        pairs = [line.strip().split(": ") for line in lines.splitlines()]
        options[protocol] = {name: int(value) for name, value in pairs}
    return options


class Bot:
    """An engine in the hands of lichess-bot."""

    def __init__(self, protocol, options, tables=None):
        popen = chess.engine.SimpleEngine.popen_uci
        if protocol == "xboard":
            popen = chess.engine.SimpleEngine.popen_xboard
        self.engine = popen([engines.ORTHRUS], timeout=10.0, debug=False, setpgrp=True, stderr=None)
        options = dict(options)
        if protocol == "xboard" and tables:
            assert "syzygy" in self.engine.protocol.features["egt"].split(",")
            options["egtpath syzygy"] = tables
        self.engine.configure(options)

    def search(self, board, limit, ponder=True, draw_offered=False, root_moves=None):
        """A move, and what is told of it in the chat of the game.

        Like lichess-bot, which sets up a board for each move, it hands over one that changes no more:
        python-chess compares it later, and may take its own pondering for answered.
        """
        played = self.engine.play(
            board.copy(),
            limit,
            info=chess.engine.INFO_ALL,
            ponder=ponder,
            draw_offered=draw_offered,
            root_moves=root_moves,
        )
        told = dict(played.info)
        for name in ("pv", "refutation"):
            if name in told:
                told[name] = board.variation_san(told[name])
        if "currmove" in told:
            told["currmove"] = board.san(told["currmove"])
        return played, told


class Both:
    """What holds over both protocols."""

    protocol = None

    def bot(self, options=None, **how):
        if options is None:
            options = documented()[self.protocol]
        bot = Bot(self.protocol, options, **how)
        self.addCleanup(bot.engine.close)
        return bot

    def leave(self, bot):
        bot.engine.ping()
        bot.engine.quit()
        # python-chess waits for the end of the process.
        self.assertEqual(bot.engine.returncode.result(engines.TIMEOUT), 0)

    def play(self, bot, board, plies, rating=2000, title=None):
        """Our side of a game, and a partner that plays the first move that there is."""
        self.assertIn("Orthrus", bot.engine.id["name"])
        opponent = chess.engine.Opponent("somebody else", title, rating, title == "BOT")
        bot.engine.send_opponent_information(opponent=opponent, engine_rating=2500)
        own = board.turn
        for ply in range(plies):
            if board.is_game_over():
                break
            if board.turn != own:
                board.push(next(iter(board.legal_moves)))
                continue
            if len(board.move_stack) < 2:
                limit = chess.engine.Limit(time=0.1, clock_id="first move")
                played, told = bot.search(board, limit, ponder=False)
            else:
                limit = chess.engine.Limit(
                    white_clock=2, black_clock=2, white_inc=0, black_inc=0, clock_id="real time"
                )
                played, told = bot.search(board, limit, draw_offered=ply % 6 == 4)
            self.assertIn(played.move, board.legal_moves)
            self.assertIn("score", told)
            self.assertIn("pv", told)
            self.assertEqual(played.info["pv"][0], played.move)
            board.push(played.move)
        return board

    def test_a_game_with_every_end(self):
        bot = self.bot()
        ends = [
            (chess.WHITE, "Black resigned", True),
            (chess.BLACK, "Time forfeiture", True),
            (None, "Game aborted", False),
            (None, "Draw by agreement", True),
            (None, "Time out with insufficient material", True),
        ]
        for number, (winner, ending, complete) in enumerate(ends):
            board = self.play(bot, chess.Board(), 10, title=TITLES[number % len(TITLES)])
            bot.engine.send_game_result(board, winner, ending, complete)
        mated = self.play(bot, chess.Board("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1"), 1)
        self.assertTrue(mated.is_checkmate())
        bot.engine.send_game_result(mated)
        self.leave(bot)

    def test_what_its_configuration_begins_with(self):
        bot = self.bot(DEFAULTS[self.protocol], tables=TABLES)
        self.play(bot, chess.Board(), 6)
        self.leave(bot)

    def test_chess960_and_positions(self):
        for board in (
            chess.Board.from_chess960_pos(356),
            chess.Board("8/8/8/8/8/2k5/1q6/3K4 b - - 0 1"),
        ):
            bot = self.bot()
            self.play(bot, board, 8)
            self.leave(bot)

    def test_correspondence_and_moves_taken_back(self):
        bot = self.bot()
        board = self.play(bot, chess.Board(), 6)
        limit = chess.engine.Limit(time=0.1, clock_id="correspondence")
        for _ in range(3):
            played, _ = bot.search(board, limit)
            self.assertIn(played.move, board.legal_moves)
            board.pop()
            board.pop()
        self.leave(bot)

    def test_commands_of_its_configuration_limit_a_search(self):
        bot = self.bot()
        board = chess.Board()
        for limit in (
            chess.engine.Limit(time=0.5, depth=5),
            chess.engine.Limit(white_clock=60, black_clock=60, depth=5),
        ):
            played, told = bot.search(board, limit)
            self.assertIn(played.move, board.legal_moves)
            self.assertLessEqual(told["depth"], 5)
        self.leave(bot)


class Uci(Both, ClientTest):
    """lichess-bot with `protocol: "uci"`."""

    protocol = "uci"

    def test_moves_of_an_online_table_are_kept_to(self):
        bot = self.bot()
        board = chess.Board()
        chosen = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
        played, _ = bot.search(board, chess.engine.Limit(time=0.1), root_moves=chosen)
        self.assertIn(played.move, chosen)
        self.leave(bot)

    def test_chances_are_told(self):
        bot = self.bot({"UCI_ShowWDL": True})
        _, told = bot.search(chess.Board(), chess.engine.Limit(time=0.1))
        self.assertEqual(sum(told["wdl"].white()), 1000)
        self.leave(bot)


class Cecp(Both, ClientTest):
    """lichess-bot with `protocol: "xboard"`."""

    protocol = "xboard"

    def test_thoughts_of_pondering_are_not_taken_for_those_of_the_move(self):
        """python-chess takes every thinking line for one about the move, until its `ping` after the
        move is answered: here only after many."""
        ping = chess.engine.XBoardProtocol._ping

        def late(protocol, number):
            time.sleep(0.2)
            ping(protocol, number)

        with mock.patch.object(chess.engine.XBoardProtocol, "_ping", late):
            bot = self.bot()
            self.play(bot, chess.Board.from_chess960_pos(356), 8)
            self.leave(bot)
