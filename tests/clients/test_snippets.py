"""The commands and settings of docs/clients.md, run exactly as printed."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import chess.pgn

import engines
from test_xboard import MATCH_TIMEOUT, virtual_screen

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "clients.md"
# A fenced block: its language, the file it represents, its text.
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FAULTS = re.compile(r"illegal|disconnect|stall|forfeit|on time|timeout", re.IGNORECASE)
# A match is as good a test if it is short, and depends on no clock.
SHORT = [(r"tc=8\+0\.08", "tc=inf depth=6"), (r"-rounds \d+", "-rounds 1")]
# XBoard saves its settings on exit; these need not outlive the test. Nobody is there to close a window, and
# a game is as good a test if it is quick.
XBOARD_MANNERS = ' -saveSettingsOnExit false -autoInstall "" -popupExitMessage false -depth 4'


def blocks(language):
    """The file and the text of every block, with the engine under test in them."""
    for found, file, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if found == language:
            yield file, text.replace("/usr/games/orthrus", engines.ORTHRUS)


class Snippets(unittest.TestCase):
    """One test for each program."""

    def run_commands(self, program, manners="", **environment):
        """Runs the program's commands next to the page's files; returns their output."""
        if not shutil.which(program):
            self.skipTest(f"{program} is not installed")
        commands = [text for _, text in blocks("sh") if text.startswith(program)]
        for long, short in SHORT:
            commands = [re.sub(long, short, command) for command in commands]
        self.assertTrue(commands)
        with tempfile.TemporaryDirectory() as folder:
            for language in ["json", "epd"]:
                for file, text in blocks(language):
                    (pathlib.Path(folder) / file).write_text(text, encoding="utf-8")
            # So that the plain name also means the engine under test.
            os.symlink(engines.ORTHRUS, pathlib.Path(folder) / "orthrus")
            path = folder + os.pathsep + os.environ["PATH"]
            for command in commands:
                done = subprocess.run(
                    command.rstrip() + manners,
                    shell=True,
                    cwd=folder,
                    env={**os.environ, "PATH": path, "HOME": folder, **environment},
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    timeout=MATCH_TIMEOUT,
                    check=False,
                )
                said = done.stdout + done.stderr
                self.assertEqual(done.returncode, 0, said)
                self.assertIsNone(FAULTS.search(said), said)
                yield said, pathlib.Path(folder)

    def test_cutechess(self):
        for said, _ in self.run_commands("cutechess-cli"):
            self.assertIn("Finished game 2 ", said)

    def test_fastchess(self):
        for said, _ in self.run_commands("fastchess"):
            self.assertIn("Finished game 2 ", said)

    def test_xboard(self):
        if not shutil.which("Xvfb"):
            self.skipTest("Xvfb is not installed")
        with virtual_screen() as display:
            for _, folder in self.run_commands("xboard", XBOARD_MANNERS, DISPLAY=display):
                with open(folder / "games.pgn", encoding="utf-8") as file:
                    game = chess.pgn.read_game(file)
                self.assertIn("Orthrus", game.headers["White"])
                self.assertNotEqual(game.headers["Result"], "*")

    def test_python_chess(self):
        programs = [text for _, text in blocks("python")]
        self.assertTrue(programs)
        for program in programs:
            exec(compile(program, str(PAGE), "exec"), {"print": lambda score: None})
