"""XBoard, the real program on a virtual screen, plays whole matches with the engine."""

import contextlib
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

import chess.pgn

import engines
from engines import needs

# Seconds within which a match of a few short games has ended, or hangs.
MATCH_TIMEOUT = 240

# What the debug file says when XBoard or an engine finds fault with the other.
FAULTS = re.compile(
    r"NON-COMPLIANT|Illegal move|illegal move|forfeit|[Ff]alse .* claim|Error \(|exited unexpectedly"
)
BAD_ENDS = re.compile(r"forfeit|time|illegal|exited|false", re.IGNORECASE)


@contextlib.contextmanager
def virtual_screen():
    """A screen that nobody sees; gives its name."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            yield f":{pipe.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


class Match:
    """A match of XBoard in a folder of its own, where nobody's settings matter."""

    def __init__(self, folder, display, arguments):
        self.pgn = folder / "games.pgn"
        self.debug = folder / "xboard.debug"
        command = [
            "xboard",
            *("-debug", "-nameOfDebugFile", str(self.debug)),
            *("-saveGameFile", str(self.pgn)),
            *("-saveSettingsOnExit", "false", "-autoInstall", ""),
            *("-popupExitMessage", "false", "-popupMoveErrors", "false"),
            *arguments,
        ]
        environment = {**os.environ, "HOME": str(folder), "DISPLAY": display}
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def debug_text(self):
        return self.debug.read_text(encoding="utf-8", errors="replace")

    def games(self):
        with open(self.pgn, encoding="utf-8", errors="replace") as file:
            return list(iter(lambda: chess.pgn.read_game(file), None))


def both_cecp(*arguments):
    return ["-fcp", engines.ORTHRUS, "-scp", engines.ORTHRUS, *arguments]


@needs("Xvfb")
@needs("xboard")
class XBoard(unittest.TestCase):
    """Two-machines matches."""

    def play(self, arguments, games):
        """Plays a match to its end and checks what XBoard thought of it."""
        with tempfile.TemporaryDirectory() as folder, virtual_screen() as display:
            match = Match(pathlib.Path(folder), display, arguments)
            try:
                match.process.wait(MATCH_TIMEOUT)
            except subprocess.TimeoutExpired:
                match.process.kill()
                self.fail("the match does not end:\n" + match.debug_text()[-4000:])
            debug = match.debug_text()
            faults = [line for line in debug.splitlines() if FAULTS.search(line)]
            self.assertEqual(faults, [])
            played = match.games()
        self.assertEqual(len(played), games)
        for game in played:
            self.assertIn(game.headers["Result"], ("1-0", "0-1", "1/2-1/2"))
            self.assertEqual(game.errors, [])
            end = game.end().comment
            self.assertIsNone(BAD_ENDS.search(end), end)
        return debug

    def test_match_over_cecp(self):
        debug = self.play(both_cecp("-tc", "0:03", "-inc", "0.03", "-mg", "2"), games=2)
        self.assertRegex(debug, r"<first\s*: move ")
        self.assertRegex(debug, r"<second\s*: move ")

    def test_chess960_over_cecp(self):
        arguments = both_cecp("-variant", "fischerandom", "-tc", "0:03", "-inc", "0.03", "-mg", "1")
        self.play(arguments, games=1)

    @needs("polyglot")
    def test_cecp_against_uci_through_polyglot(self):
        arguments = both_cecp("-sUCI", "-tc", "0:03", "-inc", "0.03", "-mg", "1")
        self.play(arguments, games=1)


def screenshot(path, seconds=25):
    """Saves a picture of XBoard, with what the engines think, in the middle of a game."""
    size = ["-engineOutputW", "580", "-engineOutputH", "490"]
    game = both_cecp("-tc", "0:40", "-mg", "1", "-engineOutputUp", "true", *size)
    with tempfile.TemporaryDirectory() as folder, virtual_screen() as display:
        match = Match(pathlib.Path(folder), display, game)
        try:
            time.sleep(seconds)
            # There is no window manager to put the windows side by side.
            move = ["search", "--name", "^Engine output", "windowmove", "428", "0"]
            subprocess.run(["xdotool", *move], check=True, env={**os.environ, "DISPLAY": display})
            time.sleep(1)
            grab = ["import", "-display", display, "-window", "root", "-trim", path]
            subprocess.run(grab, check=True)
        finally:
            match.process.kill()
            match.process.wait()
