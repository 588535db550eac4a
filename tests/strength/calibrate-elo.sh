#!/usr/bin/env bash
# Measures UCI_Elo: matches of Orthrus at several levels against each other and against Stockfish at
# the same level, as a table for docs/lab/matches.md. Limited levels end their searches by nodes, so a
# busy machine changes nothing as long as no flag falls.
#
# The scale is that of Stockfish 16 and later (1320 to 3190, anchored there to the CCRL rating list).
# Stockfish 15 has another, steeper one: it is asked for the number that means the same skill there.
#
# Usage: tests/strength/calibrate-elo.sh OPENINGS.epd [ENGINE]
#   PAIRS=stockfish   which matches: stockfish, levels or all (default)
#   LEVELS="1320 ..." levels to measure
#   SAME_NUMBER=1     ask even an older Stockfish for the same number
#   GAMES=100         games of each match, every opening with both colours
#   CLOCK=10+0.1      seconds per game + seconds per move
#   CONCURRENCY=N     games at once (default: half the processors)
# Needs fastchess (https://github.com/Disservin/fastchess) and stockfish (15 or newer) on the path.
set -euo pipefail

[ $# -ge 1 ] || {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
}
openings=$1
engine=${2:-$(dirname "$0")/../../target/release/orthrus}
pairs=${PAIRS:-all}
read -ra levels <<<"${LEVELS:-1320 1800 2200 2600 3000}"
games=${GAMES:-100}
clock=${CLOCK:-10+0.1}
concurrency=${CONCURRENCY:-$((($(nproc) + 1) / 2))}
stockfish=${STOCKFISH:-stockfish}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The range of UCI_Elo that this Stockfish has; levels outside it get its nearest value.
read -r least most < <(printf 'uci\nquit\n' | "$stockfish" |
    sed -n 's/^option name UCI_Elo .* min \([0-9]*\) max \([0-9]*\).*/\1 \2/p')

# With a limit of nodes besides, which no level reaches, Orthrus does not take time for the look of it.
at_once=nodes=1000000000

# limited COMMAND NAME ELO [ARGUMENT...]: fills `player` with fastchess's arguments for an engine.
limited() {
    player=(-engine "cmd=$1" "name=$2" option.UCI_LimitStrength=true "option.UCI_Elo=$3"
        option.Hash=16 option.Threads=1 "tc=$clock" "${@:4}")
}

# skill ELO: the skill level, 0 to 19, that Stockfish 16 plays with.
skill() {
    awk -v elo="$1" 'BEGIN {
        u = (elo - 1320) / (3190 - 1320)
        level = ((37.2473 * u - 40.8525) * u + 22.2943) * u - 0.311438
        print (level < 0 ? 0 : level > 19 ? 19 : level)
    }'
}

# their_elo ELO: what to ask this Stockfish for.
their_elo() {
    local elo=$1
    if [ "$most" -le 2850 ] && [ -z "${SAME_NUMBER:-}" ]; then
        elo=$(awk -v level="$(skill "$1")" 'BEGIN { printf "%.0f", 1346.6 + 143.4 * level ^ 0.806 }')
    fi
    echo $((elo < least ? least : elo > most ? most : elo))
}

# Stockfish chooses its move after iteration `1 + level` and searches on to no effect; stopping it
# there changes no move and saves nearly all the time.
choice_depth() {
    local level
    if [ "$most" -le 2850 ]; then
        level=$(awk -v elo="$1" 'BEGIN { print (elo > 1347 ? ((elo - 1346.6) / 143.4) ^ (1 / 0.806) : 0) }')
    else
        level=$(skill "$1")
    fi
    echo $((1 + ${level%.*}))
}

# match NAME ELO NAME ELO: the table row for the match that `first` and `second` describe.
match() {
    local log=$scratch/log
    # In its own folder: fastchess leaves a configuration behind.
    (cd "$scratch" && fastchess "${first[@]}" "${second[@]}" \
        -openings "file=$openings" format="${openings##*.}" order=random -srand 1 \
        -rounds $((games / 2)) -games 2 -repeat -maxmoves 250 \
        -concurrency "$concurrency" -recover >"$log" 2>&1) || {
        echo "fastchess failed:" >&2
        tail -n 5 "$log" >&2
        exit 1
    }
    awk -v names="$1 | $3" -v difference=$(($2 - $4)) '
        /^Games: / {
            gsub(/[,%()]/, "")
            n = $2; w = $4; l = $6; d = $8
        }
        /loses on time|disconnect|illegal/ { forfeits++ }
        END {
            if (!n) { print "| " names " | no game played |"; exit 1 }
            expected = 1 / (1 + 10 ^ (-difference / 400))
            printf "| %s | %d | %.1f %% (+%d =%d -%d) | %.1f %% | %d |\n", names, n,
                100 * (w + d / 2) / n, w, d, l, 100 * expected, forfeits
        }' "$log"
}

openings=$(realpath "$openings")
engine=$(realpath "$engine")
echo "Clock $clock, $games games a match, openings $(basename "$openings"), $(date +%F)"
echo
echo "| player | opponent | games | score | expected | forfeits |"
echo "|---|---|---|---|---|---|"
if [ "$pairs" != levels ]; then
    for elo in "${levels[@]}"; do
        theirs=$(their_elo "$elo")
        limited "$engine" "Orthrus-$elo" "$elo" "$at_once"
        first=("${player[@]}")
        limited "$stockfish" "Stockfish-$theirs" "$theirs" "plies=$(choice_depth "$theirs")"
        second=("${player[@]}")
        match "Orthrus $elo" "$elo" "Stockfish $theirs" "$elo"
    done
fi
if [ "$pairs" != stockfish ]; then
    for ((i = 1; i < ${#levels[@]}; i++)); do
        for ((j = 0; j < i; j++)); do
            limited "$engine" "Orthrus-${levels[i]}" "${levels[i]}" "$at_once"
            first=("${player[@]}")
            limited "$engine" "Orthrus-${levels[j]}" "${levels[j]}" "$at_once"
            second=("${player[@]}")
            match "Orthrus ${levels[i]}" "${levels[i]}" "Orthrus ${levels[j]}" "${levels[j]}"
        done
    done
fi
