"""A faulty engine, to test what detects faults: the real one up to its first move.

Usage: faulty_engine.py FAULT ENGINE [ARGUMENT...]
"""

import os
import subprocess
import sys
import time

# The move that goes wrong.
BAD_MOVE = 1


def main():
    fault, *command = sys.argv[1:]
    if command[1:]:
        # With arguments it does not play a game.
        os.execv(command[0], command)
    engine = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1)
    moves = 0
    for line in engine.stdout:
        word = line.split(" ", 1)[0]
        if word in ("bestmove", "move"):
            moves += 1
            if moves == BAD_MOVE:
                if fault == "slow":
                    time.sleep(2)
                elif fault == "illegal":
                    line = f"{word} a1a8\n"
                elif fault == "exit":
                    engine.kill()
                    return 1
                elif fault == "claim":
                    line = "1-0 {White mates}\n"
        elif fault == "line" and " pv " in line:
            line = line.split(" pv ")[0] + " pv a1a8\n"
        print(line, end="", flush=True)
    return engine.wait()


if __name__ == "__main__":
    sys.exit(main())
