#!/usr/bin/env bash
# Plays Orthrus with its default options against other engines, half of each match over UCI and half
# over CECP, as the lines of a table for docs/lab/matches.md. Needs an idle machine: the clock is real.
#
# Usage: tests/strength/gauntlet.sh OPENINGS.epd FOLDER [ENGINE]
#   FOLDER            keeps the games (OPPONENT-PROTOCOL.pgn); a complete match is not played again
#   OPPONENTS="..."   commands of UCI engines (default: Debian's glaurung, toga2, ethereal-chess,
#                     fairy-stockfish and stockfish); one thread, Hash 16, no book
#   PROTOCOLS="uci xboard"
#   GAMES=200         games against each, every opening with both colours, other openings for CECP
#   CLOCK=4+0.04      seconds per game + seconds per move
#   CONCURRENCY=N     games at once (default: the processors, one game each)
# A game ends early if both sides agree for four moves that it is won by 8 pawns, or for eight moves
# after the fortieth that it is level within 0.08.
# Needs cutechess-cli (https://github.com/cutechess/cutechess) and the opponents on the path.
set -euo pipefail

[ $# -ge 2 ] || {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
}
openings=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
engine=$(realpath "${3:-$(dirname "$0")/../../target/release/orthrus}")
read -ra opponents <<<"${OPPONENTS:-glaurung toga2 ethereal-chess fairy-stockfish stockfish}"
read -ra protocols <<<"${PROTOCOLS:-uci xboard}"
rounds=$((${GAMES:-200} / 2 / ${#protocols[@]}))
clock=${CLOCK:-4+0.04}
concurrency=${CONCURRENCY:-$(nproc)}

# options OPPONENT: fills `settings` with the options for one thread and 16 MiB.
options() {
    local offered pair name value
    settings=()
    offered=$({ echo uci && sleep 1 && echo quit; } | timeout 10 "$1" | sed -n 's/^option name \(.*\) type .*/\1/p')
    for pair in Hash=16 Threads=1 "Number of Threads=1" OwnBook=false; do
        name=${pair%=*} value=${pair#*=}
        if grep -qx "$name" <<<"$offered"; then settings+=("option.$name=$value"); fi
    done
}

# play OPPONENT PROTOCOL SEED: the games of one match with one protocol, in its file.
play() {
    local opponent=$1 protocol=$2 pgn=$folder/$(basename "$1")-$2.pgn
    if [ "$(grep -c '^\[Result "[01]' "$pgn" 2>/dev/null)" = $((2 * rounds)) ]; then return; fi
    rm -f "$pgn"
    options "$opponent"
    (cd "$folder" && cutechess-cli -engine "cmd=$engine" "proto=$protocol" "name=Orthrus" \
        -engine "cmd=$opponent" proto=uci "name=$(basename "$opponent")" "${settings[@]}" \
        -each "tc=$clock" -rounds $rounds -games 2 -repeat -recover -concurrency "$concurrency" \
        -openings "file=$openings" format="${openings##*.}" order=random -srand "$3" \
        -resign movecount=4 score=800 twosided=true -draw movenumber=40 movecount=8 score=8 \
        -pgnout "$pgn" >"${pgn%.pgn}.log" 2>&1) || {
        tail -n 5 "${pgn%.pgn}.log" >&2
        exit 1
    }
}

# row OPPONENT NAME FILE...: a line of the table from the games in the files.
row() {
    local opponent=$1
    cat "${@:3}" | awk -v opponent="$opponent" -v conditions="$2" '
        { gsub(/\r/, "") }
        /^\[White "Orthrus"\]/ { white = 1 }
        /^\[Black "Orthrus"\]/ { white = 0 }
        # `*` is a game that was broken off.
        /^\[Result / { counts = 0 }
        /^\[Result "[01]/ {
            counts = 1
            result = substr($2, 2, index($2, "]") - 3)
            score = result == "1/2-1/2" ? 0.5 : (result == "1-0") == white
            n++; sum += score; squares += score * score
            wins += score == 1; draws += score == 0.5; losses += score == 0
        }
        /^\[Termination "(time forfeit|illegal move|stalled connection|abandoned)"\]/ {
            if (counts) { if (score == 0) ours++; else theirs++ }
        }
        function elo(p) { return p <= 0 ? -999 : p >= 1 ? 999 : -400 / log(10) * log(1 / p - 1) }
        END {
            if (!n) { print "| " opponent " | " conditions " | no game |"; exit 1 }
            mean = sum / n
            error = 1.96 * sqrt((squares / n - mean * mean) / n)
            printf "| %s | %s | %d | %.1f %% (+%d =%d -%d), %+.0f +-%.0f Elo | %d of ours, %d of theirs |\n", opponent,
                conditions, n, 100 * mean, wins, draws, losses, elo(mean),
                (elo(mean + error) - elo(mean - error)) / 2, ours, theirs
        }'
}

echo "Clock $clock, $concurrency games at once, openings $(basename "$openings"), $(date +%F)"
echo
echo "| opponent | protocol | games | score | forfeits |"
echo "|---|---|---|---|---|"
for opponent in "${opponents[@]}"; do
    seed=1
    played=()
    for protocol in "${protocols[@]}"; do
        play "$opponent" "$protocol" "$seed"
        played+=("$folder/$(basename "$opponent")-$protocol.pgn")
        row "$(basename "$opponent")" "$protocol" "${played[-1]}"
        seed=$((seed + 1))
    done
    if [ ${#played[@]} -gt 1 ]; then row "$(basename "$opponent")" both "${played[@]}"; fi
done
