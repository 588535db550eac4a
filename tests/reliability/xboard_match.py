"""A match under XBoard on a virtual screen, reported in the format of the match runners."""

import argparse
import contextlib
import os
import pathlib
import re
import subprocess
import sys

# What the debug file says when XBoard or an engine complains about the other.
FAULTS = re.compile(
    r"NON-COMPLIANT|[Ii]llegal move|forfeit|[Ff]alse .* claim|Error \(|exited unexpectedly"
    # A window that opens in the middle of a match.
    r"|: telluser"
)
# The result of a game and, in braces before it, the reason.
END = re.compile(r"\{([^{}]*)\}\s*(1-0|0-1|1/2-1/2|\*)\s*$")

# XBoard's names for normal ends. A claim is listed only if XBoard has verified it.
NAMES = (
    (re.compile(r"(Xboard adjudication: Checkmate|White mates|Black mates)$"), "{winner} mates"),
    (re.compile(r"Xboard adjudication: Stalemate$"), "Draw by stalemate"),
    (re.compile(r"(XBoard adjudication: repetition draw|Draw claim: 3-fold repetition)$"),
     "Draw by 3-fold repetition"),
    (re.compile(r"(Xboard adjudication|Draw claim): 50-move rule$"), "Draw by fifty moves rule"),
    (re.compile(r"(Xboard adjudication: (Insufficient mating material|Trivial draw)"
                r"|Draw claim: insufficient mating material)$"),
     "Draw by insufficient mating material"),
    (re.compile(r"Draw agreed$"), "Draw by agreement"),
    (re.compile(r"(White|Black) wins on time$"), "loses on time"),
)
WINNERS = {"1-0": "White", "0-1": "Black"}


@contextlib.contextmanager
def virtual_screen():
    """A virtual screen; yields its name."""
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


def ending(comment, result):
    """The match runners' name for the end that XBoard gives in a comment."""
    for pattern, name in NAMES:
        if pattern.match(comment):
            return name.format(winner=WINNERS.get(result, "nobody"))
    return comment


def report(pgn, debug):
    """Lines that report the games of a PGN file and the faults in a debug file."""
    games = [text for text in pgn.split('[Event "')[1:]]
    for number, text in enumerate(games, 1):
        end = END.search(text.strip())
        comment, result = end.groups() if end else ("no result", "*")
        yield f"Finished game {number} (A vs B): {result} {{{ending(comment, result)}}}"
    for line in debug.splitlines():
        if FAULTS.search(line):
            yield f"Warning: {line}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--engine", "--protocol", "--games", "--clock", "--variant", "--openings"):
        parser.add_argument(name, required=True)
    parser.add_argument("--ponder", action="store_true")
    options = parser.parse_args()
    base, increment = options.clock.split("+")
    variant = [] if options.variant == "standard" else ["-variant", options.variant]
    command = [
        *("xboard", "-fcp", options.engine, "-scp", options.engine, "-mg", options.games),
        *("-tc", f"0:{int(base):02}", "-inc", increment, *variant),
        "-ponder" if options.ponder else "-xponder",
        # Without drawing, which would cost time on the engines' clocks; time forfeits count.
        *("-noGUI", "-animateMoving", "false", "-autoCallFlag", "true"),
        *("-debug", "-nameOfDebugFile", "xboard.debug", "-saveGameFile", "games.pgn"),
        *("-saveSettingsOnExit", "false", "-autoInstall", ""),
        *("-popupExitMessage", "false", "-popupMoveErrors", "false"),
    ]
    quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    with virtual_screen() as display:
        environment = {**os.environ, "HOME": os.getcwd(), "DISPLAY": display}
        status = subprocess.run(command, env=environment, **quiet).returncode
    read = [pathlib.Path(name).read_text(errors="replace") for name in ("games.pgn", "xboard.debug")]
    for line in report(*read):
        print(line)
    return status


if __name__ == "__main__":
    sys.exit(main())
