#!/usr/bin/env bash
# A sequential test (SPRT) of one build of Orthrus against another, or of one set of search parameters
# against another in a build with the feature `tune`: paired openings, colours swapped, pentanomial.
#
# Usage: tests/strength/sprt.sh OPENINGS.epd NEW BASE [NAME=VALUE...]
#   NAME=VALUE        options of the new side only
#   LIMIT=nodes=10000 nodes per move, or a clock: LIMIT=tc=2+0.02
#   BOUNDS="0 10"     normalized Elo (nElo) of either hypothesis, at 0.05; fixed before the test begins
#   GAMES=20000       at most this many
#   SEED=1            another seed takes other openings; the same ones twice are no new evidence
#   CONCURRENCY=N     games at once (default: the processors, half of them with a clock)
# Ends with Elo, its error, LLR, the pairs, and how many games were lost on time or by a crash.
# Needs fastchess (https://github.com/Disservin/fastchess) on the path.
set -euo pipefail

[ $# -ge 3 ] || {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
}
openings=$(realpath "$1")
new=$(realpath "$2")
base=$(realpath "$3")
shift 3
options=("${@/#/option.}")
limit=${LIMIT:-nodes=10000}
read -r elo0 elo1 <<<"${BOUNDS:-0 10}"
games=${GAMES:-20000}
case $limit in
tc=*) jobs=$((($(nproc) + 1) / 2)) each=("$limit") ;;
*) jobs=$(nproc) each=(tc=inf "$limit") ;;
esac

# In a folder of its own: fastchess leaves its configuration behind.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fastchess -engine "cmd=$new" name=new "${options[@]}" -engine "cmd=$base" name=base \
    -each "${each[@]}" option.Hash=16 option.Threads=1 \
    -openings "file=$openings" format="${openings##*.}" order=random -srand "${SEED:-1}" \
    -rounds $((games / 2)) -games 2 -repeat -concurrency "${CONCURRENCY:-$jobs}" -recover \
    -sprt "elo0=$elo0" "elo1=$elo1" alpha=0.05 beta=0.05 model=normalized \
    -ratinginterval 50 -pgnout file=games.pgn >log 2>&1 || {
    tail -n 5 log >&2
    exit 1
}
awk '/^Results of/ { part = "" } { part = part $0 "\n" } END { printf "%s", part }' log |
    sed '/^Started\|^Finished/d'
for fault in 'loses on time' 'disconnect' 'stall' 'illegal move'; do
    printf '%s: %s\n' "$fault" "$(grep -ci "$fault" games.pgn || true)"
done
