"""The sequential test (SPRT) of a match in pairs of games, by five results a pair (pentanomial).

Its bounds are in normalized Elo (nElo), as fastchess and fishtest have them: the same share of the noise
of a game, whatever the share of draws. The mathematics are Michel Van den Bergh's ("Normalized Elo").
"""

import math

ALPHA = 0.05  # chance of each kind of error
NELO_PER_SIGMA = 800 / math.log(10)  # normalized Elo of one standard deviation of a game's result
POINTS = (0, 0.25, 0.5, 0.75, 1)  # results of a pair of games, per game
LEAST_COUNT = 1e-3  # so that what has not happened yet does not look impossible


def decided(ratio):
    """Whether a log likelihood ratio accepts one of the hypotheses."""
    return abs(ratio) >= math.log((1 - ALPHA) / ALPHA)


def log_likelihood_ratio(counts, bounds):
    """The ratio for two hypotheses, `bounds` in normalized Elo, for `counts` of pairs of 0, 0.5, 1, 1.5, 2 points."""
    counts = [count or LEAST_COUNT for count in counts]
    total = sum(counts)
    shares = [count / total for count in counts]
    # A pair is two games: the standard deviation of its mean is smaller by the root of two.
    low, high = (likeliest(shares, math.sqrt(2) * bound / NELO_PER_SIGMA) for bound in bounds)
    return sum(count * math.log(h / l) for count, l, h in zip(counts, low, high))


def likeliest(shares, effect):
    """The distribution under which `shares` are most likely, of all whose mean lies `effect` of its own
    standard deviations above a half. It is approached in rounds: each takes the deviation of the last."""
    fitted = [1 / len(shares)] * len(shares)
    for _ in range(10):
        mean = sum(share * points for share, points in zip(fitted, POINTS))
        deviation = math.sqrt(sum(share * (points - mean) ** 2 for share, points in zip(fitted, POINTS)))
        slopes = [
            points - 0.5 - effect * deviation * (1 + ((points - mean) / deviation) ** 2) / 2 for points in POINTS
        ]
        multiplier = root_of_weighted_sum(shares, slopes)
        fitted = [share / (1 + multiplier * slope) for share, slope in zip(shares, slopes)]
    return fitted


def root_of_weighted_sum(shares, slopes):
    """The `x` between the poles at which the sum of `share * slope / (1 + x * slope)` is 0; it falls there."""
    low, high = -1 / max(slopes), -1 / min(slopes)
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if sum(share * slope / (1 + middle * slope) for share, slope in zip(shares, slopes)) > 0:
            low = middle
        else:
            high = middle
