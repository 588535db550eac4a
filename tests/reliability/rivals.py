"""Games against another engine on a busy machine: who loses more of them on time?"""

import os
import re
import subprocess
import sys

# What a game of a PGN file says of its end, in the order in which fastchess writes the tags.
GAME = re.compile(
    r'\[White "(?P<white>[^"]*)"\]\n\[Black "(?P<black>[^"]*)"\]\n(?:\[.*\]\n)*?'
    r'\[Result "(?P<result>[^"]*)"\]\n(?P<tags>(?:\[.*\]\n)*)'
)
TERMINATION = re.compile(r'\[Termination "([^"]*)"\]')

# How the others end that are no fault.
NORMAL = {"normal", "adjudication"}


# Runs until its parent has gone, however that ended.
LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"


class Load:
    """Endless loops, as many as there are cores."""

    def __enter__(self):
        loops = len(os.sched_getaffinity(0))
        self.loops = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(loops)]

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()


def forfeits(pgn):
    """The games of a file, how many each of A and B has lost on time, and the other faults."""
    lost, faults, games = {"A": 0, "B": 0}, [], 0
    for game in GAME.finditer(pgn):
        games += 1
        ended = TERMINATION.search(game["tags"])
        ended = ended.group(1) if ended else "normal"
        loser = {"1-0": game["black"], "0-1": game["white"]}.get(game["result"])
        if ended == "time forfeit" and loser:
            lost[loser] += 1
        elif ended not in NORMAL:
            faults.append(f"{ended}: lost by {loser}")
    return games, lost, faults
