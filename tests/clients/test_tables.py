"""Endgame tables: python-chess reads them too, and defends when the engine must win."""

import glob
import os
import random
import subprocess
import unittest

import chess
import chess.engine
import chess.syzygy

from engines import ClientTest, orthrus_cecp, orthrus_uci

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Other people's data has more tables than our own.
OTHERS = os.path.join(ROOT, "..", "shared", "data")
OWN = os.path.join(ROOT, "tests", "data")
DATA = os.environ.get("ORTHRUS_DATA", OTHERS if os.path.isdir(OTHERS) else OWN)
TABLES = os.path.join(DATA, "syzygy")

# Random positions of each table; 35 tables have 21,000.
POSITIONS = 600


def random_position(generator, name, en_passant=False):
    """A legal position with the pieces in the table's name, colours either way round."""
    while True:
        board = chess.Board(None)
        board.turn = generator.random() < 0.5
        white, black = name.split("v")
        swapped = generator.random() < 0.5
        men = [(man, not swapped) for man in white] + [(man, swapped) for man in black]
        if en_passant:
            place_pawns(generator, board)
            men = [(letter, color) for letter, color in men if letter != "P"]
        for letter, color in men:
            free = [square for square in chess.SQUARES if board.piece_at(square) is None]
            if letter == "P":
                free = [square for square in free if 8 <= square < 56]
            piece = chess.Piece.from_symbol(letter)
            board.set_piece_at(generator.choice(free), chess.Piece(piece.piece_type, color))
        if board.is_valid() and board.has_legal_en_passant() == en_passant:
            return board


def place_pawns(generator, board):
    """A pawn of each side, one of which has just moved two squares past the other."""
    rank = 4 if board.turn else 3
    file, side = generator.randrange(8), generator.choice((-1, 1))
    if 0 <= file + side < 8:
        pushed = chess.square(file, rank)
        board.set_piece_at(pushed, chess.Piece(chess.PAWN, not board.turn))
        board.set_piece_at(
            chess.square(file + side, rank), chess.Piece(chess.PAWN, board.turn)
        )
        board.ep_square = pushed + (8 if board.turn else -8)


def longest_defence(board, tables):
    """The move after which the winning side needs the most plies to zeroing."""
    moves = list(board.legal_moves)

    def plies(move):
        board.push(move)
        distance = 0 if board.is_checkmate() else tables.probe_dtz(board)
        zeroing = board.halfmove_clock == 0
        board.pop()
        return (not zeroing, distance)

    return max(moves, key=plies)


# Won for White; in some of them the fifty-move rule is near.
ENDINGS = (
    "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
    "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
    "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
    "8/8/8/4k3/8/8/8/KBB5 w - - 40 60",
    "8/8/8/3rk3/8/8/8/KQ6 w - - 0 1",
    "8/8/4k3/8/8/2r5/8/KQ6 w - - 30 60",
    "8/8/3k4/8/8/3K4/3P4/8 w - - 0 1",
    "8/8/8/3k4/8/8/3KP3/7N w - - 0 1",
)


class Play:
    """Won endings are won against the longest defence; `open_engine` starts an engine."""

    open_engine = None
    options = {"SyzygyPath": TABLES}

    def win(self, engine, fen, tables):
        """Plays an ending to its end and returns the plies it took."""
        board = chess.Board(fen)
        self.assertGreater(tables.probe_wdl(board), 0, fen)
        side, game = board.turn, object()
        # The defence claims every draw it can. The winner may too, by a move it need not make.
        while not board.is_game_over(claim_draw=board.turn != side):
            if board.turn == side:
                result = engine.play(board, chess.engine.Limit(depth=6), game=game)
                board.push(result.move)
            else:
                board.push(longest_defence(board, tables))
        outcome = board.outcome(claim_draw=board.turn != side)
        self.assertEqual(outcome.winner, side, f"{fen}: {outcome}, {board.fen()}")
        return len(board.move_stack)

    def test_endings_are_won(self):
        engine = self.start(self.open_engine)
        engine.configure(self.options)
        with chess.syzygy.open_tablebase(TABLES) as tables:
            known = [fen for fen in ENDINGS if tables.get_wdl(chess.Board(fen)) is not None]
            self.assertGreaterEqual(len(known), 6)
            for fen in known:
                distance = tables.probe_dtz(chess.Board(fen))
                plies = self.win(engine, fen, tables)
                print(f"{fen}: {plies} plies, {distance} to zeroing")
        self.finish(engine)


class PlayUci(Play, ClientTest):
    """Over UCI."""

    open_engine = staticmethod(orthrus_uci)


class PlayCecp(Play, ClientTest):
    """Over CECP."""

    open_engine = staticmethod(orthrus_cecp)
    options = {"egtpath syzygy": TABLES}


class Oracle(unittest.TestCase):
    """Results and distances agree with python-chess."""

    def test_random_positions(self):
        generator = random.Random(7)
        files = sorted(glob.glob(os.path.join(TABLES, "*.rtbw")))
        names = [os.path.splitext(os.path.basename(file))[0] for file in files]
        boards = [random_position(generator, name) for name in names for _ in range(POSITIONS)]
        if "KPvKP" in names:
            boards += [random_position(generator, "KPvKP", True) for _ in range(POSITIONS)]
        fens = "".join(board.fen(en_passant="legal") + "\n" for board in boards)
        command = ["cargo", "run", "-q", "-p", "orthrus-core", "--example", "probe_tables", TABLES]
        answers = subprocess.run(
            command, cwd=ROOT, input=fens, capture_output=True, check=True, text=True
        ).stdout.splitlines()
        self.assertEqual(len(answers), len(boards))
        differences = []
        missing = 0
        with chess.syzygy.open_tablebase(TABLES) as tables:
            for board, answer in zip(boards, answers):
                try:
                    expected = f"{tables.probe_wdl(board)} {tables.probe_dtz(board)}"
                except chess.syzygy.MissingTableError:
                    # Our own tables end where a pawn becomes a queen against a pawn.
                    expected = "- -"
                    missing += 1
                if answer != expected:
                    differences.append(f"{board.fen()}: {answer}, not {expected}")
        en_passant = sum(board.ep_square is not None for board in boards)
        print(
            f"{len(boards)} positions, {en_passant} with en passant, {missing} without a table, "
            f"{len(differences)} differ"
        )
        self.assertLess(missing, len(boards) / 10)
        self.assertEqual(differences[:5], [])
