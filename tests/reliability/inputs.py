"""Bad input, and good input that is rare: the rows of the table of robustness.

Each row has what is sent over UCI and over CECP, and the expected outcome. Before it the engine is
given a position with one legal move.
"""

import dataclasses
import enum


class Fate(enum.Enum):
    """The expected outcome of an input."""

    REFUSED = "refused: a reason is told, and nothing is played"
    KEPT = "ignored or refused: the position of before is played on"
    PLAYED = "understood: a move is played"
    OVER = "understood: there is no move to play"


@dataclasses.dataclass(frozen=True)
class Row:
    """An input. Empty lists mean that a protocol has nothing like it."""

    name: str
    uci: list
    cecp: list
    fate: Fate
    # If the protocols differ: an illegal move voids the whole position in UCI only.
    cecp_fate: Fate = None
    # How the engine is made to move.
    uci_go: str = "go depth 1"
    # What the move played must begin with.
    answer: str = ""

    def lines(self, protocol):
        return self.uci if protocol == "uci" else self.cecp

    def fate_in(self, protocol):
        return self.fate if protocol == "uci" else self.cecp_fate or self.fate


# White has one legal move.
ONE_MOVE = "7k/8/8/8/8/8/4q3/7K w - - 0 1"
ONLY_MOVE = "h1g1"

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def set_up(name, fen, fate, answer=""):
    return Row(name, [f"position fen {fen}"], [f"setboard {fen}"], fate, answer=answer)


def moves(name, text, fate=Fate.REFUSED, cecp_fate=Fate.KEPT):
    """Moves from the start position in UCI, and single ones in CECP."""
    sent = [f"usermove {move}" for move in text.split()] or ["usermove"]
    return Row(name, [f"position startpos moves {text}"], sent, fate, cecp_fate)


def go(name, uci, cecp):
    """A search with odd limits; `uci` is the whole command."""
    return Row(name, [], cecp, Fate.KEPT, uci_go=uci)


def ignored(name, uci, cecp):
    return Row(name, uci, cecp, Fate.KEPT)


REFUSED, PLAYED, OVER = Fate.REFUSED, Fate.PLAYED, Fate.OVER

POSITIONS = [
    set_up("FEN without kings", "8/8/8/8/8/8/8/8 w - - 0 1", REFUSED),
    set_up("FEN with one king", "8/8/8/8/8/8/8/K7 w - - 0 1", REFUSED),
    set_up("FEN with three kings", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", REFUSED),
    set_up("garbage for a FEN", "hello world", REFUSED),
    set_up("FEN `startpos`", "startpos", REFUSED),
    set_up("no FEN at all", "", REFUSED),
    set_up("FEN with seven ranks", "8/8/8/8/8/8/k6K w - - 0 1", REFUSED),
    set_up("FEN with nine men on a rank", START.replace("pppppppp", "ppppppppp") + " w - - 0 1",
           REFUSED),
    set_up("FEN cut after the side to move", f"{START} w", PLAYED),
    set_up("FEN cut in the castling field", f"{START} w KQ", PLAYED),
    set_up("FEN of four fields", f"{START} w KQkq -", PLAYED),
    set_up("letters that are not ASCII", f"{START.replace('RNBQ', 'RÑB♕')} w KQkq é 0 1", REFUSED),
    set_up("side not to move in check", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", REFUSED),
    set_up("pawns on the first and last rank", "P3k2p/8/8/8/8/8/8/p3K2P w - - 0 1", REFUSED),
    set_up("more than 256 legal moves", "QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
           REFUSED),
    set_up("218 legal moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", PLAYED),
    set_up("castling rights without rooks", "7k/8/8/8/8/8/4q3/7K w KQkq - 0 1", PLAYED),
    set_up("en passant without a pawn", "7k/8/8/8/8/8/4q3/7K w - e6 0 1", PLAYED, ONLY_MOVE),
    set_up("en passant square z9", f"{START} w KQkq z9 0 1", REFUSED),
    set_up("counters of 255 and 65535", "7k/8/8/8/8/8/4q3/7K w - - 99 65535", PLAYED, ONLY_MOVE),
    set_up("counters of twenty digits", f"{START} w KQkq - 99999999999999999999 -5", REFUSED),
    set_up("checkmated at once", "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1", OVER),
    set_up("stalemated at once", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", OVER),
]

MOVES = [
    moves("illegal move", "e2e5"),
    moves("moves of a king into check and of nobody", "e1e2 e5e6"),
    moves("garbage for a move", "xyzzy"),
    moves("moves of odd letters and lengths", "é2e4 e2 e2e4e2e4 e7e8k"),
    moves("null move", "0000", PLAYED),
    Row("`moves` and no move", ["position startpos moves"], ["new", "sd 1", "force", "usermove"], PLAYED),
    Row("a game of 2,400 plies", [f"position startpos moves {' '.join(SHUFFLE * 600)}"],
        ["new", "sd 1", "force", *(f"usermove {move}" for move in SHUFFLE * 600)], PLAYED, OVER),
]

CLOCKS = [
    go("clock below zero", "go wtime -500 btime -500", ["level 0 5 0", "time -50", "otim -50"]),
    go("clock of twenty digits", "go depth 1 wtime 99999999999999999999 btime 99999999999999999999",
       ["time 99999999999999999999", "otim 99999999999999999999"]),
    go("words for numbers", "go depth 1 wtime abc movestogo x", ["level x y z", "time abc", "st x"]),
    go("no moves to go", "go wtime 1000 btime 1000 movestogo 0", ["level 0 0 0", "level -1 -1 -1"]),
    go("depth and nodes of zero", "go depth 0 nodes 0 mate 0", ["sd 0"]),
    go("depth below zero", "go depth -5 nodes -1 movetime -1", ["sd -5", "st -1"]),
    go("illegal moves to search", "go depth 1 searchmoves e2e5 xyzzy 0000",
       ["exclude xyzzy", "include e2e5"]),
    Row("infinite search of a mate", ["position fen 6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1"],
        ["setboard 6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1", "analyze", "exit"], OVER,
        uci_go="go infinite"),
]

OPTIONS = [
    ignored("`Hash abc`", ["setoption name Hash value abc"], ["memory abc", "option Hash=abc"]),
    ignored("`Hash -1`", ["setoption name Hash value -1"], ["memory -1", "option Hash=-1"]),
    ignored("`Hash` of twenty digits", ["setoption name Hash value 99999999999999999999"],
            ["memory 99999999999999999999"]),
    ignored("`Hash` larger than the memory", ["setoption name Hash value 1000000"],
            ["memory 1000000"]),
    ignored("`Threads 99999999`", ["setoption name Threads value 99999999"], ["cores 99999999"]),
    ignored("`MultiPV 0` and of ten digits", ["setoption name MultiPV value 0",
                                              "setoption name MultiPV value 4294967296",
                                              "setoption name MultiPV value 1"],
            ["option MultiPV=0", "option MultiPV=4294967296", "option MultiPV=1"]),
    ignored("option without name or value", ["setoption", "setoption name", "setoption name Hash",
                                             "setoption name Hash value", "setoption value 3"],
            ["option", "option =", "option Hash", "option Hash=", "memory", "cores"]),
    ignored("option that nobody has", ["setoption name Elephants value 3"], ["option Elephants=3"]),
    ignored("tables in a folder that is not there",
            ["setoption name SyzygyPath value /nowhere/at/all"], ["egtpath syzygy /nowhere/at/all"]),
]

LINES = [
    ignored("bytes that are no text, and NUL", [b"\xff\xfe\x00\x80 \x00\n"],
            [b"\xff\xfe\x00\x80 \x00\n"]),
    ignored("a line of 64 KB", ["x" * 65536], ["x" * 65536]),
    ignored("a line of 1 MB", ["x " * 524288], ["x " * 524288]),
    ignored("a hundred thousand empty lines", [b"\n" * 100_000], [b"\n" * 100_000]),
    ignored("words nobody knows", ["hello", "\x1b[2J", "%s%n%x", "../../etc/passwd"],
            ["hello", "\x1b[2J", "%s%n%x", "../../etc/passwd"]),
    ignored("words of the other protocol", ["xboard", "protover 2", "usermove e2e4"],
            ["uci", "isready", "position startpos", "ucinewgame"]),
    ignored("the greeting again", ["uci", "uci"], ["xboard", "protover 2"]),
    ignored("stop and hit where nothing runs", ["stop", "ponderhit", "stop"], ["?", ".", "exit"]),
]

ROWS = POSITIONS + MOVES + CLOCKS + OPTIONS + LINES
