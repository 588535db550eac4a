"""Reads the outcome of the games from the output of a match runner."""

import dataclasses
import re

FINISHED = re.compile(r"Finished game \d+ \(.*\): (1-0|0-1|1/2-1/2|\*) \{(.*)\}")

# Normal ends of games; any other end is a fault. By default nobody resigns, and a claim of one's
# own defeat, which runners believe, is reported as a resignation.
ORDINARY = re.compile(
    r"(White|Black) mates"
    r"|(White|Black) wins( with king in the center| the race)?$|Drawn race"
    r"|(White|Black) lost all pieces|Draw$"
    r"|(White|Black) checks 3 times|(White|Black)'s king exploded"
    r"|Draw by (3-fold repetition|fifty moves rule|stalemate|insufficient mating material|agreement)"
)

# The columns of the table, and what a runner says about such an end.
ENDS = {
    "forfeits": re.compile(r"loses on time|forfeits on time|time forfeit", re.IGNORECASE),
    "illegal": re.compile(r"illegal move", re.IGNORECASE),
    "disconnects": re.compile(r"disconnect|exited", re.IGNORECASE),
    "stalls": re.compile(r"stall", re.IGNORECASE),
    "claims": re.compile(r"claim|declaration|result error", re.IGNORECASE),
}

# fastchess writes `Warning; `, Qt's programs `Warning: ` or nothing before a finding.
WARNING = re.compile(r"Warning[;:]|Fatal[;:]|Illegal (PV|ponder) move|Premature|NON-COMPLIANT|Terminating process")

# Warnings about the machine, not the engine.
NOT_THE_ENGINE = re.compile(r"CPU affinity|Unknown opening")

# A mate announced without all of its moves is cosmetic: counted, but not a fault. A line that is
# too long for its mate, or does not end with it, is a wrong score.
SHORT_MATE = re.compile(r"Warning; Incomplete mating PV")

# More examples than this add nothing.
EXAMPLES = 5


@dataclasses.dataclass
class Verdict:
    """What was wrong with a leg, counted."""

    games: int = 0
    forfeits: int = 0
    illegal: int = 0
    disconnects: int = 0
    stalls: int = 0
    claims: int = 0
    other: int = 0
    missing: int = 0
    warnings: int = 0
    short_mates: int = 0
    examples: list = dataclasses.field(default_factory=list)

    def note(self, column, line):
        setattr(self, column, getattr(self, column) + 1)
        if len(self.examples) < EXAMPLES:
            self.examples.append(line)

    def faults(self, overloaded=False):
        """All faults; time forfeits on an overloaded machine are only counted."""
        count = self.illegal + self.disconnects + self.stalls + self.claims
        count += self.other + self.missing + self.warnings
        return count if overloaded else count + self.forfeits


def kind(end):
    """The column in which an end of a game is counted; `None` for an ordinary one."""
    for column, pattern in ENDS.items():
        if pattern.search(end):
            return column
    return None if ORDINARY.match(end) else "other"


def judge(lines, wanted):
    """The verdict on the output of a runner that was to play `wanted` games."""
    verdict = Verdict()
    for line in map(str.strip, lines):
        if finished := FINISHED.search(line):
            verdict.games += 1
            if column := kind(finished[2]):
                verdict.note(column, line)
        elif SHORT_MATE.search(line):
            verdict.short_mates += 1
        elif WARNING.search(line) and not NOT_THE_ENGINE.search(line):
            verdict.note("warnings", line)
    verdict.missing = max(0, wanted - verdict.games)
    if verdict.missing:
        verdict.examples.append(f"{verdict.missing} of {wanted} games were not played to an end")
    return verdict
