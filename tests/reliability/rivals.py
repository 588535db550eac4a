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


class Load:
    """Endless loops, as many as there are cores."""

    def __enter__(self):
        loops = len(os.sched_getaffinity(0))
        self.loops = [
            subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)
        ]

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()


def command(engine, rival, clock, games, at_once, openings):
    return [
        "fastchess",
        *("-engine", f"cmd={engine}", "name=Orthrus", "-engine", f"cmd={rival}", "name=rival"),
        *("-each", f"tc={clock}"),
        *("-rounds", str(games // 2), "-games", "2", "-repeat", "-recover"),
        *("-concurrency", str(at_once), "-force-concurrency"),
        *("-openings", f"file={openings}", "format=epd", "order=random", "-srand", "1"),
        *("-pgnout", "file=games.pgn", "append=false"),
        *("-autosaveinterval", "0", "-ratinginterval", "0"),
    ]


def forfeits(pgn):
    """The games of a file, how many each engine has lost on time, and the other faults."""
    lost, faults, games = {"Orthrus": 0, "rival": 0}, [], 0
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
