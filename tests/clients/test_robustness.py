"""Every row of the table of bad input is answered as it defines, over both heads."""

import pathlib
import shlex
import subprocess
import unittest

import engines

ROBUSTNESS = pathlib.Path(__file__).resolve().parent.parent / "robustness"


def table(*arguments):
    """The status and the output of the tool."""
    command = [ROBUSTNESS, "--strict", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=300)
    return done.returncode, done.stdout


class Robustness(unittest.TestCase):
    """The tool passes the engine, and fails a program that is not one."""

    def test_both_heads(self):
        engine = shlex.quote(engines.ORTHRUS)
        status, output = table(f"uci:{engine}", f"cecp:{engine}")
        self.assertEqual(status, 0, output)

    def test_what_ends_is_noticed(self):
        status, output = table("--row", "null move", "uci:false")
        self.assertEqual(status, 1)
        self.assertIn("| null move | **exit 1** |", output)

    def test_what_says_nothing_is_noticed(self):
        status, output = table("--row", "null move", "uci:cat")
        self.assertEqual(status, 1)
        self.assertIn("| null move | **hang** |", output)

    def test_a_row_that_is_not_there_is_no_success(self):
        self.assertEqual(table("--row", "no such row", "uci:false")[0], 1)
