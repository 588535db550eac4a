"""The commands by which the runners play a leg."""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Debian keeps games out of root's search path.
os.environ["PATH"] += os.pathsep + "/usr/games"


def python_with_chess():
    """A Python that has the package chess, or `None`."""
    for python in (sys.executable, str(ROOT / ".venv/bin/python")):
        if os.path.exists(python):
            asked = subprocess.run([python, "-c", "import chess.engine"], stderr=subprocess.DEVNULL)
            if asked.returncode == 0:
                return python
    return None


def missing(runner):
    """The missing requirements of a runner; `None` if nothing is missing."""
    needed = ["xboard", "Xvfb"] if runner == "xboard" else [runner]
    if runner == "python-chess":
        return None if python_with_chess() else "the Python package chess"
    absent = [program for program in needed if not shutil.which(program)]
    return ", ".join(absent) or None


def command(leg, games, at_once, engine, openings, nodes=None):
    """The command that plays a leg, with the folder of the leg as its working folder.

    With `nodes`, each move has that many nodes instead of a clock.
    """
    builders = {"fastchess": fastchess, "cutechess-cli": cutechess}
    limits = ["tc=inf", f"nodes={nodes}"] if nodes else [f"tc={leg.clock}"]
    builder = builders.get(leg.runner)
    if builder is None:
        return adapter(leg, games, engine, openings[leg.variant])
    return builder(leg, limits, games, at_once, engine, openings.get(leg.variant))


def fastchess(leg, limits, games, at_once, engine, openings, rival=None):
    return [
        "fastchess",
        *("-engine", f"cmd={engine}", "name=A", "-engine", f"cmd={rival or engine}", "name=B"),
        *("-each", *limits, "-variant", leg.variant),
        *("-rounds", str(games // 2), "-games", "2", "-repeat", "-recover"),
        *("-concurrency", str(at_once), "-force-concurrency"),
        *("-openings", f"file={openings}", "format=epd", "order=random", "-srand", "1"),
        *("-pgnout", "file=games.pgn", "append=false", "-check-mate-pvs"),
        *("-autosaveinterval", "0", "-ratinginterval", "0"),
    ]


def cutechess(leg, limits, games, at_once, engine, openings):
    protocol = {"uci": "uci", "cecp": "xboard"}[leg.protocol]
    each = [*limits, f"proto={protocol}", *(["ponder"] if leg.ponder else [])]
    order = ["format=epd", "order=random", "policy=round"]
    return [
        "cutechess-cli",
        *("-engine", f"cmd={engine}", "name=A", "-engine", f"cmd={engine}", "name=B"),
        *("-each", *each, "-variant", leg.variant),
        *("-rounds", str(games // 2), "-games", "2", "-repeat", "-recover"),
        *("-concurrency", str(at_once)),
        # The other variants begin at their own start: no two games on a real clock are alike.
        *(["-openings", f"file={openings}", *order] if openings else []),
        *("-srand", "1", "-pgnout", "games.pgn", "-ratinginterval", "0"),
    ]


def adapter(leg, games, engine, openings):
    """Our own script around a program that does not play matches or does not report them."""
    script = {"xboard": "xboard_match.py", "python-chess": "python_chess_match.py"}[leg.runner]
    python = python_with_chess() if leg.runner == "python-chess" else sys.executable
    return [
        *(python, str(HERE / script), "--engine", str(engine), "--protocol", leg.protocol),
        *("--games", str(games), "--clock", leg.clock, "--variant", leg.variant),
        *("--openings", str(openings), *(["--ponder"] if leg.ponder else [])),
    ]
