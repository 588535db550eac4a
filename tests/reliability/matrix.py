"""What a soak plays: its legs, and the share of all games for each leg."""

import dataclasses

# Clocks by name: what the runners call them, and the longest that a game of 300 moves can last, in
# seconds for both sides together.
CLOCKS = {
    "0.2+0.002": 1.6,
    "0.5+0.005": 4,
    "1+0.01": 8,
    "40/2": 30,
    "3+0.03": 24,
}

# Games of each row, by clock, if all of them are played.
SHARES = """
runner         protocol  ponder  variant        0.2+0.002  0.5+0.005  1+0.01  40/2  3+0.03
fastchess      uci       off     standard            2000          0     200   200       0
fastchess      uci       off     fischerandom        1000          0     100   100       0
cutechess-cli  uci       off     standard            1400          0     140   150       0
cutechess-cli  uci       off     fischerandom         900          0      90   100       0
cutechess-cli  uci       on      standard             700          0      70    50       0
cutechess-cli  uci       on      fischerandom         500          0      50    50       0
cutechess-cli  cecp      off     standard            1400          0     140   150       0
cutechess-cli  cecp      off     fischerandom         900          0      90   100       0
cutechess-cli  cecp      on      standard             700          0      70    50       0
cutechess-cli  cecp      on      fischerandom         500          0      50    50       0
cutechess-cli  uci       off     kingofthehill          0        100       0     0       0
cutechess-cli  cecp      off     kingofthehill          0        100       0     0       0
cutechess-cli  uci       off     3check                 0        100       0     0       0
cutechess-cli  cecp      off     3check                 0        100       0     0       0
cutechess-cli  uci       off     racingkings            0        100       0     0       0
cutechess-cli  cecp      off     racingkings            0        100       0     0       0
cutechess-cli  uci       off     horde                  0        100       0     0       0
cutechess-cli  cecp      off     horde                  0        100       0     0       0
cutechess-cli  uci       off     atomic                 0        100       0     0       0
cutechess-cli  cecp      off     atomic                 0        100       0     0       0
cutechess-cli  uci       off     antichess              0        100       0     0       0
cutechess-cli  uci       off     giveaway               0        100       0     0       0
cutechess-cli  cecp      off     giveaway               0        100       0     0       0
cutechess-cli  uci       off     suicide                0        100       0     0       0
cutechess-cli  cecp      off     suicide                0        100       0     0       0
cutechess-cli  uci       off     losers                 0        100       0     0       0
cutechess-cli  cecp      off     losers                 0        100       0     0       0
cutechess-cli  uci       off     crazyhouse             0        100       0     0       0
cutechess-cli  cecp      off     crazyhouse             0        100       0     0       0
python-chess   uci       off     standard               0          0       0     0      10
python-chess   uci       on      fischerandom           0          0       0     0      10
python-chess   cecp      off     standard               0          0       0     0      10
python-chess   cecp      on      fischerandom           0          0       0     0      10
xboard         cecp      off     standard               0          0       0     0      10
xboard         cecp      on      fischerandom           0          0       0     0      10
"""


@dataclasses.dataclass(frozen=True)
class Leg:
    """Games of the engine against itself under the same conditions."""

    runner: str
    protocol: str
    clock: str
    ponder: bool
    variant: str
    share: int

    @property
    def name(self):
        ponder = "ponder" if self.ponder else "plain"
        clock = self.clock.replace("/", "-in-")
        return f"{self.runner}-{self.protocol}-{clock}-{ponder}-{self.variant}"


def legs():
    """All legs, the shortest games first."""
    heading, *rows = (line.split() for line in SHARES.strip().splitlines())
    return [
        Leg(row[0], row[1], clock, row[2] == "on", row[3], int(row[column]))
        for column, clock in enumerate(heading[4:], 4)
        for row in rows
        if int(row[column])
    ]


# The sum of the legs: the number of games of a full soak.
WHOLE = sum(leg.share for leg in legs())


def games_of(leg, total):
    """Games of a leg if all legs have `total`: an even number, as both sides play each opening."""
    return max(2, 2 * round(leg.share * total / WHOLE / 2))


def concurrency(leg, cores, overload):
    """Games at a time: one per core, half as many if both sides think; twice that if overloaded.

    XBoard's screen and python-chess's loop handle one game at a time.
    """
    if leg.runner in ("xboard", "python-chess"):
        return 1
    games = max(1, cores // 2) if leg.ponder else cores
    return games * 2 if overload else games


def patience(leg, games, at_once):
    """Seconds after which a leg hangs: four times the longest it can last."""
    return 60 + 4 * games * (CLOCKS[leg.clock] + 2) / at_once
