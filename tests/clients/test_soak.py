"""The soak finds what goes wrong in games, and nothing if nothing does."""

import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

import engines
from engines import TESTS, needs

import matrix
import openings
import verdict
import xboard_match

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"

FASTCHESS = """
Started game 1 of 4 (A vs B)
Finished game 1 (A vs B): 1-0 {Black loses on time (12ms overrun)}
Warning; Illegal PV move - move e1e9 from B
Info; info depth 6 seldepth 7 multipv 1 score cp 2 pv e1e9
Position; fen 8/8/8/8/8/8/8/8 w - - 0 1
Moves; e2e4
Warning; Incomplete mating PV - from B
Warning; Mating PV does not end with checkmate - from B
Warning; Failed to set CPU affinity for the tournament thread.
Finished game 3 (A vs B): 0-1 {White makes an illegal move}
Finished game 2 (B vs A): 1/2-1/2 {Draw by 3-fold repetition}
"""

CUTECHESS = """
Started game 1 of 7 (A vs B)
Finished game 1 (A vs B): 1-0 {White mates}
Score of A vs B: 1 - 0 - 0  [1.000] 1
Finished game 2 (B vs A): 0-1 {White disconnects}
Warning: Illegal PV move e7e9 from A (3)
Finished game 3 (A vs B): 0-1 {White's connection stalls}
Finished game 4 (A vs B): 0-1 {White loses on time}
Finished game 5 (A vs B): 0-1 {Black wins by adjudication: Invalid result claim}
Finished game 6 (A vs B): * {No result}
Finished game 7 (A vs B): 1/2-1/2 {Draw by fifty moves rule}
Finished game 8 (A vs B): 0-1 {White resigns}
"""

XBOARD_GAMES = """
[Event "Computer Chess Game"]
[Result "1-0"]

1. e4 {+0.10/9 0.1} Nh6
{Xboard adjudication: Checkmate} 1-0

[Event "Computer Chess Game"]
[Result "1/2-1/2"]

1. e4 Nh6
{Draw claim: 3-fold repetition} 1/2-1/2

[Event "Computer Chess Game"]
[Result "1-0"]

1. e4
{False draw claim: 'x'} 1-0

[Event "Computer Chess Game"]
[Result "0-1"]

1. e4
{Black wins on time} 0-1

[Event "Computer Chess Game"]
[Result "*"]

1. e4 *
"""


def counted(text, wanted):
    """What the verdict counts, without zeros."""
    judged = vars(verdict.judge(text.splitlines(), wanted))
    return {name: value for name, value in judged.items() if value and name != "examples"}


class Reading(unittest.TestCase):
    """The output of runners is understood."""

    def test_fastchess(self):
        expected = {"games": 3, "forfeits": 1, "illegal": 1, "missing": 1, "warnings": 2}
        self.assertEqual(counted(FASTCHESS, 4), {**expected, "short_mates": 1})

    def test_cutechess(self):
        faults = ("disconnects", "stalls", "forfeits", "claims", "warnings")
        expected = {"games": 8, **dict.fromkeys(faults, 1), "other": 2}
        self.assertEqual(counted(CUTECHESS, 8), expected)

    def test_xboard(self):
        lines = xboard_match.report(XBOARD_GAMES, "12 <first : x\nIllegal move: e2e5\n")
        expected = {"games": 5, "claims": 1, "forfeits": 1, "other": 1, "warnings": 1}
        self.assertEqual(counted("\n".join(lines), 5), expected)

    def test_an_end_nobody_has_heard_of_is_a_fault(self):
        line = "Finished game 1 (A vs B): 1-0 {Black falls asleep}"
        self.assertEqual(counted(line, 1), {"games": 1, "other": 1})

    def test_time_is_no_fault_on_an_overloaded_machine(self):
        judged = verdict.judge(["Finished game 1 (A vs B): 1-0 {Black loses on time}"], 1)
        self.assertEqual((judged.faults(), judged.faults(overloaded=True)), (1, 0))


class Plan(unittest.TestCase):
    """The numbers of games add up."""

    def test_the_whole_has_the_games_promised(self):
        sums = {}
        for leg in matrix.legs():
            sums[leg.clock] = sums.get(leg.clock, 0) + matrix.games_of(leg, matrix.WHOLE)
        self.assertEqual((sums["0.2+0.002"], sums["1+0.01"]), (10_000, 1_000))
        self.assertEqual(sum(sums.values()), matrix.WHOLE)

    def test_every_leg_has_a_name_of_its_own_and_games(self):
        legs = matrix.legs()
        self.assertEqual(len({leg.name for leg in legs}), len(legs))
        self.assertTrue(all(matrix.games_of(leg, 10) == 2 for leg in legs))

    def test_pondering_takes_two_cores_a_game(self):
        for leg in matrix.legs():
            if leg.runner == "cutechess-cli":
                games = [matrix.concurrency(leg, 4, overload) for overload in (False, True)]
                self.assertEqual(games, [2, 4] if leg.ponder else [4, 8])

    def test_chess960_has_its_positions(self):
        positions = list(openings.chess960())
        self.assertEqual(len(set(positions)), 960)
        self.assertIn(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", positions
        )


class Faults(unittest.TestCase):
    """The real runners detect an engine that fails on its first move."""

    def soak(self, fault, leg):
        """The status and the result of two games of a faulty engine."""
        with tempfile.TemporaryDirectory() as folder:
            engine = pathlib.Path(folder, "engine")
            script = TESTS / "reliability/faulty_engine.py"
            words = [sys.executable, script, fault, engines.ORTHRUS]
            quoted = " ".join(f"'{word}'" for word in words)
            engine.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
            engine.chmod(engine.stat().st_mode | stat.S_IXUSR)
            # One opening is enough, and making those of the soak takes some seconds.
            pathlib.Path(folder, "standard.epd").write_text(START)
            command = [TESTS / "soak", "--engine", engine, "--out", folder]
            command += ["--games", "2", "--leg", leg, "--concurrency", "1"]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=120)
            kept = json.loads(pathlib.Path(folder, leg, "result.json").read_text())
            return done.returncode, kept["verdict"], done.stdout

    def check(self, leg, faults):
        for fault, column in faults:
            with self.subTest(fault):
                status, counts, output = self.soak(fault, leg)
                self.assertEqual(status, 1, output)
                self.assertGreater(counts[column], 0, output)
        # On a busy machine the script between engine and runner can cost the game its time.
        _, counts, output = self.soak("none", leg)
        found = {name for name, value in counts.items() if value} - {"games", "forfeits", "examples"}
        self.assertEqual(found, set(), output)

    @needs("fastchess")
    def test_under_fastchess(self):
        # Not "slow": fastchess waits ten seconds for a move that is late.
        faults = (("illegal", "illegal"), ("exit", "disconnects"), ("line", "warnings"))
        self.check("fastchess-uci-1+0.01-plain-standard", faults)

    @needs("cutechess-cli")
    def test_under_cutechess(self):
        faults = (("slow", "forfeits"), ("illegal", "illegal"), ("exit", "disconnects"))
        leg = "cutechess-cli-cecp-1+0.01-plain-standard"
        self.check(leg, (*faults, ("claim", "claims")))
