#!/usr/bin/env bash
# Makes the release archives of the newest commit twice, in two folders, and compares them: the same
# sources and the same compiler give the same bytes, whatever the folder.
# Usage: crates/orthrus/packaging/check-reproducible.sh [all|TARGET...]     default: this machine's
set -euo pipefail
cd "$(dirname "$0")/../../.."

targets=("$@")
[ $# -gt 0 ] || targets=("$(rustc -vV | sed -n 's/^host: //p')")
# One commit, whatever happens to the repository meanwhile.
commit=$(git rev-parse HEAD)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export ORTHRUS_WINE=$PWD/target/wine
# Each build in the folder of its sources.
unset CARGO_TARGET_DIR

sums=()
for place in one another/place; do
    mkdir -p "$folder/$place"
    git archive "$commit" | tar -x -C "$folder/$place"
    "$folder/$place/crates/orthrus/packaging/release.sh" "${targets[@]}" >/dev/null
    sum=$(cat "$folder/$place"/target/archives/*.sha256)
    sums+=("$sum")
    printf '%s:\n%s\n' "$place" "$sum"
done
[ "${sums[0]}" = "${sums[1]}" ] || {
    echo "the archives differ"
    exit 1
}
