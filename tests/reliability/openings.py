"""Openings for the games of a soak, made on the spot."""

import itertools
import subprocess

# Enough for variety in many games.
COUNT = 500


def back_ranks():
    """The 960 arrays of Chess960."""
    ranks = set()
    for order in set(itertools.permutations("RNBQKBNR")):
        rooks = [square for square, man in enumerate(order) if man == "R"]
        bishops = [square for square, man in enumerate(order) if man == "B"]
        if rooks[0] < order.index("K") < rooks[1] and sum(bishops) % 2:
            ranks.add("".join(order))
    return sorted(ranks)


def chess960():
    """Their positions, with castling rights given by the files of the rooks."""
    for rank in back_ranks():
        files = [letter for man, letter in zip(rank, "ABCDEFGH") if man == "R"]
        rights = "".join(reversed(files))
        yield f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {rights}{rights.lower()} - 0 1"


def standard(engine):
    """Balanced positions after some random moves, made by the engine as for training."""
    request = f"genfens {COUNT} seed 1 book None"
    answer = subprocess.run(
        [engine, request, "quit"], capture_output=True, check=True, text=True, timeout=600
    )
    lines = answer.stdout.splitlines()
    return [line.split("genfens ", 1)[1] for line in lines if "genfens " in line]


def write(folder, engine):
    """Writes the missing files; returns all by variant."""
    files = {}
    makers = {"standard": lambda: standard(engine), "fischerandom": chess960}
    for variant, positions in makers.items():
        files[variant] = folder / f"{variant}.epd"
        if not files[variant].exists():
            files[variant].write_text("".join(f"{fen}\n" for fen in positions()))
    return files
