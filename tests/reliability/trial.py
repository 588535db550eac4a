"""Puts an engine through a row of the table and reports the outcome."""

import dataclasses
import re
import time

from conversation import PATIENCE, Conversation, Failed
from inputs import ONE_MOVE, ONLY_MOVE, Fate

# Seconds after which an engine is told to move at once.
THINKING = 1.0

START_MOVE = re.compile(r"[a-h]2[a-h][34]$|[bg]1[acfh]3$|N[acfh]3$|[a-h][34]$")
ANY_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrqNBRQ]?$")


@dataclasses.dataclass
class Outcome:
    """The outcome of a row for an engine."""

    # Whether it lived, answered, and played on afterwards.
    survived: bool
    # What it did: the move it played, `-` for none, or how it failed.
    text: str
    # What was wrong with that by the row's own standard; empty if nothing.
    fault: str = ""


class Uci:
    """How to ask over UCI."""

    READY = re.compile(r"readyok")
    MOVE = re.compile(r"bestmove\b")
    REASON = re.compile(r"info string .*\S")

    def __init__(self, conversation):
        self.talk = conversation

    def greet(self):
        self.talk.send("uci")
        self.talk.wait_for(re.compile("uciok"))
        self.talk.send(f"position fen {ONE_MOVE}")
        self.ping()

    def ping(self):
        self.talk.send("isready")
        self.talk.wait_for(self.READY)

    def move(self, go):
        """The move the engine answers with; `-` for none."""
        self.talk.send(go)
        try:
            line = self.talk.wait_for(self.MOVE, THINKING)
        except Failed as failed:
            if str(failed) != "hang":
                raise
            self.talk.send("stop")
            line = self.talk.wait_for(self.MOVE)
        word = (line.split() + ["-"])[1]
        return word if ANY_MOVE.match(word) else "-"

    def row_move(self, row):
        return self.move(row.uci_go)

    def start_move(self):
        self.talk.send("position startpos")
        return self.move("go depth 1")


class Cecp:
    """How to ask over CECP."""

    MOVE = re.compile(r"(move\b|1-0|0-1|1/2-1/2|resign)")
    REASON = re.compile(r"tellusererror |Illegal (move|position)|Error \(", re.IGNORECASE)

    def __init__(self, conversation):
        self.talk = conversation
        self.pings = 0

    def greet(self):
        self.talk.send("xboard", "protover 2")
        # An engine that never sends `done=1` must not block the test.
        try:
            self.talk.wait_for(re.compile(r".*\bdone=1"), 2.0)
        except Failed as failed:
            if str(failed) != "hang":
                raise
        self.talk.send("new", "easy", "sd 1", "force", f"setboard {ONE_MOVE}")
        self.ping()

    def ping(self):
        self.pings += 1
        self.talk.send(f"ping {self.pings}")
        self.talk.wait_for(re.compile(rf"pong {self.pings}$"))

    def move(self):
        """The move the engine answers with; `-` for none."""
        # An engine that is thinking answers a ping only after its move.
        self.pings += 1
        self.talk.send("go", f"ping {self.pings}")
        pong = f"pong {self.pings}"
        pattern = re.compile(rf"{self.MOVE.pattern}|{pong}$")
        try:
            line = self.talk.wait_for(pattern, THINKING)
        except Failed as failed:
            if str(failed) != "hang":
                raise
            self.talk.send("?")
            line = self.talk.wait_for(pattern)
        if line != pong:
            self.talk.wait_for(re.compile(f"{pong}$"))
        word = line.split()[-1]
        return word if line.startswith("move") else "-"

    def row_move(self, _row):
        return self.move()

    def start_move(self):
        self.talk.send("new", "sd 1")
        return self.move()


def run(row, protocol, command):
    """Puts an engine through a row."""
    with Conversation(command) as talk:
        head = {"uci": Uci, "cecp": Cecp}[protocol](talk)
        try:
            head.greet()
            talk.seen.clear()
            talk.send(*row.lines(protocol))
            head.ping()
            reasons = [line for line in talk.seen if head.REASON.match(line)]
            played = head.row_move(row)
            head.ping()
            after = head.start_move()
        except Failed as failed:
            return Outcome(False, str(failed), "it did not survive")
        talk.send("quit")
        try:
            talk.wait_for_end()
        except Failed as failed:
            # Some engines always crash on exit, whatever came before.
            return Outcome(True, played, f"ended with {failed}")
        if not START_MOVE.match(after):
            return Outcome(False, "plays no more", f"played {after} in the start position")
        return Outcome(True, played, fault(row, protocol, played, reasons))


def fault(row, protocol, played, reasons):
    """What is wrong with an answer by the standard of the row."""
    fate = row.fate_in(protocol)
    if fate is Fate.REFUSED and (played != "-" or not reasons):
        return f"played {played}, gave the reasons {reasons}"
    if fate is Fate.KEPT and played != ONLY_MOVE:
        return f"played {played} where {ONLY_MOVE} is the only move"
    if fate is Fate.PLAYED and not ANY_MOVE.match(played):
        return f"played {played}, gave the reasons {reasons}"
    if fate is Fate.PLAYED and not played.startswith(row.answer):
        return f"played {played} where {row.answer} is the only move"
    if fate is Fate.OVER and played != "-":
        return f"played {played}"
    return ""


def begin_search(talk, protocol):
    """Makes the engine think indefinitely."""
    if protocol == "uci":
        talk.send("position startpos", "go infinite")
    else:
        talk.send("new", "force", "post", "analyze")
    time.sleep(0.3)


def ponder(talk, protocol):
    """Makes the engine ponder."""
    if protocol == "uci":
        talk.send("position startpos moves e2e4", "go ponder wtime 60000 btime 60000")
    else:
        talk.send("new", "sd 0", "hard", "st 1", "usermove e2e4")
        talk.wait_for(re.compile("move "), 2 * PATIENCE)
    time.sleep(0.3)


def idle(_talk, _protocol):
    """Leaves the engine idle."""


def close_input(talk, _protocol):
    """Ends the input."""
    talk.close_input()


def close_output(talk, protocol):
    """Stops listening, and makes the engine notice."""
    talk.close_output()
    talk.send("isready" if protocol == "uci" else "ping 1", "stop" if protocol == "uci" else "?")


def quit_now(talk, _protocol):
    """Asks for the end."""
    talk.send("quit")


# What the engine does, and how it is left; then it must be gone.
ENDS = [
    ("end of input at once", idle, close_input),
    ("end of input during a search", begin_search, close_input),
    ("end of input while pondering", ponder, close_input),
    ("output closed", idle, close_output),
    ("output closed during a search", begin_search, close_output),
    ("`quit` during a search", begin_search, quit_now),
    ("`quit` while pondering", ponder, quit_now),
]


def run_end(end, protocol, command):
    """Leaves an engine in one of the ways of `ENDS`."""
    _, work, leave = end
    with Conversation(command) as talk:
        try:
            if (work, leave) != (idle, close_input):
                {"uci": Uci, "cecp": Cecp}[protocol](talk).greet()
            work(talk, protocol)
            leave(talk, protocol)
            seconds = talk.wait_for_end()
        except Failed as failed:
            # Death by a write to a closed pipe is a proper end.
            gone = leave is close_output and str(failed) == "SIGPIPE"
            return Outcome(gone, str(failed), "it did not end by itself")
        return Outcome(True, f"gone in {seconds:.1f} s")
