#!/usr/bin/env bash
# Compares the bench signature of a built engine with the `Bench: N` line of the newest commit that
# has one. Without such a line in the history (a shallow clone, an archive) it says so and exits with
# status 77.
# Usage: scripts/check-bench.sh [ENGINE]
set -euo pipefail
cd "$(dirname "$0")/.."

engine=${1:-target/release/orthrus}
found=$("$engine" bench | sed -n '$s/^\([0-9]*\) nodes [0-9]* nps$/\1/p')
if [ -z "$found" ]; then
    echo "the last line of '$engine bench' is not 'N nodes M nps'"
    exit 1
fi
expected=$(git log --format=%B 2>/dev/null | sed -n '/^Bench: [0-9]*$/{s/^Bench: //p;q;}' || true)
if [ -z "$expected" ]; then
    echo "bench $found; no commit names a signature"
    exit 77
elif [ "$found" = "$expected" ]; then
    echo "bench $found, as the commits say"
else
    echo "bench $found, but the newest commit that names a signature says $expected"
    exit 1
fi
