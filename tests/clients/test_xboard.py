"""XBoard, the real program on a virtual screen, plays complete matches with the engine."""

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
from xboard_match import FAULTS, virtual_screen

# Seconds after which an unfinished match of a few short games hangs.
MATCH_TIMEOUT = 240

# Seconds to wait for the effect of a key or a click.
TIMEOUT = 20

# Variants that XBoard knows, and whose games python-chess reads.
FAIRY = "fischerandom wildcastle 3check atomic giveaway suicide crazyhouse".split()

BAD_ENDS = re.compile(r"forfeit|time|illegal|exited|false", re.IGNORECASE)


class Match:
    """A match of XBoard in a folder of its own, isolated from anyone's settings."""

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
        if not self.debug.exists():
            return ""
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
        """Plays a match to its end and checks what XBoard reported."""
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
            # python-chess cannot read games in which a king castles from the d-file.
            unread = [error for error in game.errors if "wildcastle" not in str(error)]
            self.assertEqual(unread, [])
            end = game.end().comment
            self.assertIsNone(BAD_ENDS.search(end), end)
        return debug

    def test_match_over_cecp(self):
        debug = self.play(both_cecp("-tc", "0:03", "-inc", "0.03", "-mg", "2"), games=2)
        self.assertRegex(debug, r"<first\s*: move ")
        self.assertRegex(debug, r"<second\s*: move ")

    def test_variants_over_cecp(self):
        # Ends are left to the engine, whose claims XBoard verifies.
        for variant in FAIRY:
            with self.subTest(variant):
                match = ["-variant", variant, "-tc", "0:03", "-inc", "0.03", "-mg", "1"]
                match += ["-checkMates", "false", "-testClaims", "true"]
                self.play(both_cecp(*match), games=1)

    @needs("polyglot")
    def test_cecp_against_uci_through_polyglot(self):
        arguments = both_cecp("-sUCI", "-tc", "0:03", "-inc", "0.03", "-mg", "1")
        self.play(arguments, games=1)


class User:
    """A user with keyboard and mouse, who sees the effect in the debug file."""

    # Entries of the menu "Engine", from the top.
    SETTINGS, HINT, BOOK = 3, 6, 7

    def __init__(self, match, display):
        self.match = match
        self.display = display
        self.read = 0
        # Its title changes with the game.
        self.board = self.find("^xboard")

    def do(self, *arguments):
        command = ["xdotool", *map(str, arguments)]
        environment = {**os.environ, "DISPLAY": self.display}
        return subprocess.run(
            command, check=True, env=environment, capture_output=True, text=True, timeout=TIMEOUT
        ).stdout

    def key(self, *keys):
        # Without a window manager the keyboard focus follows the pointer.
        self.do("windowfocus", self.board, "key", "--delay", 50, *keys)

    def click(self, x, y, button=1):
        self.do("mousemove", x, y, "sleep", 0.1, "click", button)

    def sees(self, pattern, seconds):
        """Whether a line like this comes, after those seen before, within this many seconds."""
        end = time.monotonic() + seconds
        while True:
            found = re.compile(pattern, re.MULTILINE).search(self.match.debug_text(), self.read)
            if found:
                self.read = found.end()
                return True
            if time.monotonic() > end:
                return False
            time.sleep(0.05)

    def wait_for(self, pattern):
        if not self.sees(pattern, TIMEOUT):
            raise AssertionError(f"no {pattern}:\n" + self.match.debug_text()[-3000:])

    def find(self, name):
        return self.do("search", "--sync", "--onlyvisible", "--name", name).split()[-1]

    def geometry(self, window):
        """Position and size of a window: x, y, width, height."""
        values = self.do("getwindowgeometry", "--shell", window)
        numbers = dict(re.findall(r"(\w+)=(\d+)", values))
        return [int(numbers[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")]

    def put(self, *squares):
        """Clicks on squares of a board that fills its window from the bottom."""
        x, y, _, height = self.geometry(self.board)
        for square in squares:
            file, rank = ord(square[0]) - ord("a"), int(square[1])
            self.click(x + 27 + 50 * file, y + height + 23 - 50 * rank)
            time.sleep(0.3)

    def choose(self, entry):
        self.key("alt+n", *["Down"] * entry, "Return")

    def click_until(self, pattern, xs, y):
        """Clicks along a line of text, where XBoard has its buttons, until it has the effect."""
        for x in xs:
            self.click(x, y, button=3)
            if self.sees(pattern, 0.4):
                return
        raise AssertionError(f"no {pattern}:\n" + self.match.debug_text()[-3000:])


@needs("Xvfb")
@needs("xboard")
@needs("xdotool")
class Person(unittest.TestCase):
    """A user plays, asks, takes back, and analyses."""

    def test_a_person_at_the_board(self):
        with tempfile.TemporaryDirectory() as folder, virtual_screen() as display:
            arguments = ["-fcp", engines.ORTHRUS, "-ponder", "-st", "0:01"]
            windows = ["-engineOutputUp", "false", "-boardSize", "49"]
            match = Match(pathlib.Path(folder), display, [*arguments, *windows])
            try:
                user = User(match, display)
                self.play(user)
                self.analyse(user)
                self.leave(user)
                debug = match.debug_text()
            finally:
                match.process.kill()
                match.process.wait()
        # Nothing the user did may lead to complaints.
        self.assertEqual([line for line in debug.splitlines() if FAULTS.search(line)], [])
        rejected = set(re.findall(r"rejected (\w+)", debug))
        self.assertLessEqual(rejected, {"setscore"})

    def play(self, user):
        user.wait_for(r">first : ping \d+$")
        user.put("e2", "e4")
        user.wait_for(r"<first : highlight .*Y")
        user.wait_for(r"<first : move ")
        user.choose(User.HINT)
        user.wait_for(r">first : hint$")
        user.wait_for(r"<first : Hint: ")
        user.key("Return")
        user.choose(User.BOOK)
        user.wait_for(r">first : bk$")
        user.key("Return")
        # Take the moves back, play another, and make the engine move at once.
        user.key("ctrl+x")
        user.wait_for(r">first : remove$")
        user.put("d2", "d4")
        user.key("ctrl+m")
        user.wait_for(r"<first : move ")
        user.key("ctrl+e")
        user.wait_for(r">first : force$")
        user.key("alt+Left")
        user.wait_for(r">first : undo$")

    def analyse(self, user):
        user.key("ctrl+a")
        user.wait_for(r">first : analyze$")
        user.wait_for(r">first : \.$")
        user.wait_for(r"<first : stat01: \d")
        x, y, width, _ = user.geometry(user.find("^Engine output"))
        right_half = range(x + width // 2, x + width, 20)
        user.click_until(r">first : option MultiPV=2$", right_half, y + 30)
        user.click_until(r">first : exclude ", range(x + 90, x + 250, 15), y + 47)
        user.wait_for(r"<first : \d+ -?\d+ \d+ \d+ ")
        user.key("alt+Left")
        user.wait_for(r">first : undo$")
        user.wait_for(r"<first : \d+ -?\d+ \d+ \d+ ")

    def leave(self, user):
        user.key("ctrl+e")
        user.wait_for(r">first : exit$")
        user.choose(User.SETTINGS)
        user.find("ngine.*[Ss]ettings")
        user.key("Escape")
        user.key("ctrl+n")
        user.wait_for(r">first : new$")
        user.wait_for(r"<first : pong ")


def game(user):
    """The middle of a game of the engine against itself."""
    user.key("ctrl+t")
    time.sleep(25)


def analysis(user):
    """Analysis with two lines, after some moves of an opening."""
    for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"):
        user.key("ctrl+e")
        user.put(move[:2], move[2:])
    user.key("ctrl+a")
    user.wait_for("stat01")
    x, y, width, _ = user.geometry(user.find("^Engine output"))
    user.click_until("MultiPV=2", range(x + width // 2, x + width, 20), y + 30)
    time.sleep(10)


def settings(user):
    """The dialogue for the engine's options."""
    user.choose(User.SETTINGS)
    return user.find("^Engine Settings")


def screenshot(show, path):
    """Saves a screenshot of XBoard in one of the situations above."""
    size = ["-engineOutputW", "580", "-engineOutputH", "490"]
    arguments = both_cecp("-tc", "0:40", "-engineOutputUp", "true", *size)
    if show is not game:
        arguments = ["-fcp", engines.ORTHRUS, "-engineOutputUp", "true", *size]
    with tempfile.TemporaryDirectory() as folder, virtual_screen() as display:
        match = Match(pathlib.Path(folder), display, arguments)
        try:
            user = User(match, display)
            user.wait_for(r"<first : pong ")
            # There is no window manager to place the windows side by side.
            user.do("windowmove", user.find("^Engine output"), 428, 0)
            window = show(user) or "root"
            time.sleep(1)
            grab = ["import", "-display", display, "-window", window, "-trim"]
            grab += ["+dither", "-colors", "64", f"png8:{path}"]
            subprocess.run(grab, check=True)
        finally:
            match.process.kill()
            match.process.wait()
