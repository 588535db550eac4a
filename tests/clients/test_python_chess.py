"""python-chess drives the engine through both heads."""

import itertools

import chess
import chess.engine
import chess.variant

from engines import ClientTest, needs, orthrus_cecp, orthrus_uci, weak_stockfish

MIDDLE_GAME = "r1bq1rk1/pp2nppp/4n3/3ppP2/1b1P4/3BP3/PP2N1PP/R1BQNRK1 b - - 0 13"


class Both:
    """What holds for both heads; `open_engine` starts one."""

    open_engine = None

    def test_games_against_itself(self):
        white, black = self.start(self.open_engine), self.start(self.open_engine)
        for _ in range(2):
            self.play_game(white, black)
        self.finish(white, black)

    @needs("stockfish")
    def test_games_against_stockfish(self):
        own, other = self.start(self.open_engine), self.start(weak_stockfish)
        self.play_game(own, other, partner=other)
        self.play_game(other, own, partner=other)
        self.finish(own, other)

    def test_game_with_pondering(self):
        white, black = self.start(self.open_engine), self.start(self.open_engine)
        self.play_game(white, black, base=2.0, ponder=True)
        self.finish(white, black)

    @needs("stockfish")
    def test_pondering_on_the_wrong_move(self):
        # A weak opponent seldom plays the expected move: most searches of this game are misses.
        own, other = self.start(self.open_engine), self.start(weak_stockfish)
        self.play_game(other, own, ponder=True, partner=other)
        self.finish(own, other)

    def test_chess960_games(self):
        white, black = self.start(self.open_engine), self.start(self.open_engine)
        for number in (0, 284, 692, 959):
            self.play_game(white, black, chess.Board.from_chess960_pos(number))
        self.finish(white, black)

    def test_variants(self):
        white, black = self.start(self.open_engine), self.start(self.open_engine)
        for variant in chess.variant.VARIANTS:
            # Others are chess by another name.
            if variant.uci_variant not in (None, "chess"):
                with self.subTest(variant.uci_variant):
                    self.play_game(white, black, variant(), base=0.5)
        self.finish(white, black)
        # Over CECP XBoard is told how its unknown games begin, which python-chess does not need.
        messages = self.complaints.messages
        messages[:] = [message for message in messages if "output: 'setup (" not in message]

    def test_moves_from_odd_positions(self):
        engine = self.start(self.open_engine)
        for fen in (MIDDLE_GAME, "7k/P7/8/8/8/8/8/K7 w - - 0 1", "8/8/8/8/8/5k2/6q1/7K w - - 0 1"):
            board = chess.Board(fen)
            result = engine.play(board, chess.engine.Limit(time=0.1))
            self.assertEqual(result.move is None, board.is_game_over(), fen)
        self.finish(engine)

    def test_fixed_depth_and_time(self):
        engine = self.start(self.open_engine)
        board = chess.Board(MIDDLE_GAME)
        for limit in (chess.engine.Limit(depth=6), chess.engine.Limit(time=0.2)):
            self.assertIn(engine.play(board, limit).move, board.legal_moves)
        self.finish(engine)

    def test_finds_a_mate(self):
        engine = self.start(self.open_engine)
        board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
        result = engine.play(board, chess.engine.Limit(time=0.2), info=chess.engine.INFO_ALL)
        self.assertEqual(result.move, chess.Move.from_uci("d1d8"))
        self.assertEqual(result.info["score"].white(), chess.engine.Mate(1))
        self.finish(engine)

    def test_analysis_to_a_depth_that_nobody_needs(self):
        # Over CECP the client waits for a line of that depth.
        engine = self.start(self.open_engine)
        for fen, mate in (
            ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", 1),
            ("7k/R7/6K1/8/8/8/8/8 b - - 0 1", -1),
            ("k7/8/2K5/8/8/8/8/7R w - - 0 1", 2),
            ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 0),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None),
        ):
            with self.subTest(fen):
                info = engine.analyse(chess.Board(fen), chess.engine.Limit(depth=20))
                self.assertEqual(info["score"].relative.mate(), mate)
        self.finish(engine)

    def test_analysis_without_end_can_be_stopped(self):
        engine = self.start(self.open_engine)
        board = chess.Board(MIDDLE_GAME)
        for _ in range(3):
            with engine.analysis(board) as analysis:
                for info in itertools.islice((i for i in analysis if "pv" in i), 5):
                    self.assertIn(info["pv"][0], board.legal_moves)
                    self.assertIn("score", info)
            analysis.wait()
            board.push(info["pv"][0])
        self.finish(engine)


class Uci(Both, ClientTest):
    """The UCI head."""

    open_engine = staticmethod(orthrus_uci)

    def test_analysis_of_several_lines(self):
        engine = self.start(self.open_engine)
        board = chess.Board(MIDDLE_GAME)
        infos = engine.analyse(board, chess.engine.Limit(depth=8), multipv=4)
        self.assertEqual([info["multipv"] for info in infos], [1, 2, 3, 4])
        self.assertEqual(len({info["pv"][0] for info in infos}), 4)
        scores = [info["score"].relative for info in infos]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.finish(engine)

    def test_more_lines_than_moves(self):
        engine = self.start(self.open_engine)
        board = chess.Board("7k/8/8/8/8/8/6q1/K7 w - - 0 1")
        moves = board.legal_moves.count()
        infos = engine.analyse(board, chess.engine.Limit(depth=6), multipv=20)
        self.assertEqual(len(infos), moves)
        self.finish(engine)

    def test_root_moves_can_be_chosen(self):
        engine = self.start(self.open_engine)
        board = chess.Board()
        chosen = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
        result = engine.play(board, chess.engine.Limit(depth=5), root_moves=chosen)
        self.assertIn(result.move, chosen)
        self.finish(engine)

    def test_every_kind_of_limit(self):
        engine = self.start(self.open_engine)
        board = chess.Board(MIDDLE_GAME)
        clocks = {"white_clock": 1, "black_clock": 1}
        for limit in (
            {"time": 0.05},
            {"depth": 5},
            {"nodes": 2000},
            {"mate": 1},
            clocks,
            {**clocks, "white_inc": 0.1, "black_inc": 0.1},
            {**clocks, "remaining_moves": 10},
            {**clocks, "depth": 5, "nodes": 2000},
        ):
            result = engine.play(board, chess.engine.Limit(**limit))
            self.assertIn(result.move, board.legal_moves, limit)
        self.finish(engine)

    def test_any_number_of_lines(self):
        engine = self.start(self.open_engine)
        board = chess.Board()
        for count in (1, 2, 19, 20, 21, 500):
            infos = engine.analyse(board, chess.engine.Limit(depth=3), multipv=count)
            self.assertEqual(len({info["pv"][0] for info in infos}), min(count, 20))
        self.finish(engine)

    def test_mates_are_proved_to_their_end(self):
        engine = self.start(self.open_engine)
        for fen, moves in (
            ("7k/8/5K2/6R1/8/8/8/8 w - - 0 1", 2),
            ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 2),
        ):
            board = chess.Board(fen)
            info = engine.analyse(board, chess.engine.Limit(mate=moves + 1))
            self.assertEqual(info["score"].relative, chess.engine.Mate(moves))
            self.assertEqual(len(info["pv"]), 2 * moves - 1)
            for move in info["pv"]:
                board.push(move)
            self.assertTrue(board.is_checkmate())
        self.finish(engine)

    def test_games_below_full_strength(self):
        white, black = self.start(self.open_engine), self.start(self.open_engine)
        white.configure({"UCI_LimitStrength": True, "UCI_Elo": 1500})
        black.configure({"Skill Level": 3})
        self.play_game(white, black)
        self.finish(white, black)

    def test_options_can_be_set(self):
        engine = self.start(self.open_engine)
        engine.configure({"Hash": 32, "Threads": 2, "Move Overhead": 50, "Clear Hash": None})
        board = chess.Board()
        self.assertIsNotNone(engine.play(board, chess.engine.Limit(time=0.2)).move)
        self.finish(engine)


class Cecp(Both, ClientTest):
    """The CECP head."""

    open_engine = staticmethod(orthrus_cecp)

    def test_options_can_be_set(self):
        engine = self.start(self.open_engine)
        engine.configure({
            "memory": 32,
            "cores": 2,
            "MoveOverhead": 50,
            "ClearHash": None,
            "Experience": False,
            "ExperienceFile": "lessons.exp",
            "AnalysisContempt": "Both",
        })
        board = chess.Board()
        self.assertIsNotNone(engine.play(board, chess.engine.Limit(time=0.2)).move)
        self.finish(engine)


class Against(ClientTest):
    """Both heads in one game."""

    def test_uci_against_cecp(self):
        uci, cecp = self.start(orthrus_uci), self.start(orthrus_cecp)
        self.play_game(uci, cecp)
        self.play_game(cecp, uci)
        self.finish(uci, cecp)
