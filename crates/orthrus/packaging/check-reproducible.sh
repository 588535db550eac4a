#!/usr/bin/env bash
# Builds the newest commit twice, in two folders, and compares the binaries: the same sources and the
# same compiler give the same bytes, whatever the folder.
# Usage: crates/orthrus/packaging/check-reproducible.sh [TARGET]
set -euo pipefail
cd "$(dirname "$0")/../../.."

target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
# One commit, whatever happens to the repository meanwhile.
commit=$(git rev-parse HEAD)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Each build in the folder of its sources.
unset CARGO_TARGET_DIR

sums=()
for place in one another/place; do
    mkdir -p "$folder/$place"
    git archive "$commit" | tar -x -C "$folder/$place"
    "$folder/$place/crates/orthrus/packaging/release.sh" "$target" >/dev/null
    sums+=("$(sha256sum <"$folder/$place/target/$target/dist/orthrus")")
    echo "$place: ${sums[-1]}"
done
[ "${sums[0]}" = "${sums[1]}" ] || {
    echo "the builds differ"
    exit 1
}
