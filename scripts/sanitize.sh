#!/usr/bin/env bash
# Looks for what no ordinary test sees: rare orders of events, data races, undefined
# behaviour. Needs the nightly toolchain with the components miri and rust-src.
#
# Usage: scripts/sanitize.sh [STEP...]     steps: model miri thread; docs/reliability.md has results
set -euo pipefail
cd "$(dirname "$0")/.."

steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(model miri thread)

# Every order of four commands and what searches do meanwhile.
model() {
    cargo test --package orthrus-core --lib -- --ignored model
}

# Undefined behaviour and weak memory, in an interpreter: the shared table, stopping, the network's
# kernels against their scalar versions, squares and moves, and the coder of self-play data.
miri() {
    export MIRIFLAGS="-Zmiri-disable-isolation"
    export CARGO_TARGET_DIR=target/miri
    local core=(search::tt search::stop types attacks notation)
    cargo +nightly miri test --package orthrus-core --lib -- "${core[@]}"
    # Miri has the instructions that the build targets, and knows AVX2 but not all of AVX-512.
    RUSTFLAGS="-Ctarget-feature=+avx2" CARGO_TARGET_DIR=target/miri-avx2 \
        cargo +nightly miri test --package orthrus-core --lib -- kernels
    MIRIFLAGS+=" -Zmiri-many-seeds=0..8" cargo +nightly miri test --package orthrus-core --lib -- \
        no_torn_entry a_pause_ends
    cargo +nightly miri test --package orthrus-trainer --lib -- range_coder
}

# Data races between real threads; the standard library is rebuilt too, so that its locks count.
# The sanitizer answers a refused allocation as the system would.
thread() {
    export RUSTFLAGS="-Zsanitizer=thread -Ctarget-cpu=x86-64-v2"
    export CARGO_TARGET_DIR=target/thread-sanitizer
    export TSAN_OPTIONS="halt_on_error=1 allocator_may_return_null=1"
    local test=(cargo +nightly -Zbuild-std test --target x86_64-unknown-linux-gnu)
    "${test[@]}" --package orthrus-core --lib -- search engine
    "${test[@]}" --package orthrus-core --test engine --test search
    "${test[@]}" --package orthrus-trainer --lib -- selfplay
}

for step in "${steps[@]}"; do
    "$step"
done
