"""Endgame tables: python-chess reads them too, and defends where the engine is to win."""

import glob
import os
import random
import subprocess
import unittest

import chess
import chess.engine
import chess.syzygy

import engines
from engines import ClientTest, orthrus_cecp, orthrus_uci

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.environ.get("ORTHRUS_DATA", os.path.join(ROOT, "..", "shared", "data"))
TABLES = os.path.join(DATA, "syzygy")

# Random positions of each table; 35 tables have 21,000.
POSITIONS = 600

needs_tables = unittest.skipUnless(glob.glob(os.path.join(TABLES, "*.rtbw")), "no tables")


def random_position(generator, name, en_passant=False):
    """A legal position with the men that a table is named after, colours either way."""
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
    """A pawn of either side, of which one has just moved two squares past the other."""
    rank = 4 if board.turn else 3
    file, side = generator.randrange(8), generator.choice((-1, 1))
    if 0 <= file + side < 8:
        pushed = chess.square(file, rank)
        board.set_piece_at(pushed, chess.Piece(chess.PAWN, not board.turn))
        board.set_piece_at(
            chess.square(file + side, rank), chess.Piece(chess.PAWN, board.turn)
        )
        board.ep_square = pushed + (8 if board.turn else -8)


@needs_tables
class Oracle(unittest.TestCase):
    """Results and distances are those of python-chess."""

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
        with chess.syzygy.open_tablebase(TABLES) as tables:
            for board, answer in zip(boards, answers):
                expected = f"{tables.probe_wdl(board)} {tables.probe_dtz(board)}"
                if answer != expected:
                    differences.append(f"{board.fen()}: {answer}, not {expected}")
        en_passant = sum(board.ep_square is not None for board in boards)
        print(f"{len(boards)} positions, {en_passant} with en passant, {len(differences)} differ")
        self.assertEqual(differences[:5], [])
