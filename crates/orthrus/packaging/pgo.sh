#!/usr/bin/env bash
# Builds Orthrus with profile-guided optimisation: an instrumented build searches the benchmark
# positions, and a second build is optimised for what the first one did most.
#
# Usage: crates/orthrus/packaging/pgo.sh [OUTPUT [PROCESSOR]]
#
# leaves the binary at OUTPUT (default: ./orthrus), for one processor alone if that is named as rustc's
# target-cpu has it, such as native.
#
# Needs llvm-profdata of the compiler's own LLVM version: `rustup component add llvm-tools`, or one
# on the PATH, or LLVM_PROFDATA=path.
set -euo pipefail
output=${1:-orthrus}
[[ $output = /* || $output = [A-Za-z]:* ]] || output=$PWD/$output
cd "$(dirname "$0")/../../.."
if [[ $PWD = *[[:space:]]* ]]; then
    echo "flags for the compiler cannot have blanks in them: $PWD" >&2
    exit 1
fi
# They would replace the flags given for a target.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS

processor=${2-}
host=$(rustc -vV | sed -n 's/^host: //p')
profdata=${LLVM_PROFDATA:-$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata}
[ -x "$profdata" ] || profdata=$(command -v llvm-profdata) || {
    echo "no llvm-profdata: rustup component add llvm-tools" >&2
    exit 1
}

target=$PWD/target/pgo
profiles=$target/profiles
rm -rf "$profiles"

# With --target the flags do not apply to build scripts. Flags given for a target are added to those
# of .cargo/config.toml, whose processor would stand behind another one and count: RUSTFLAGS replace them.
variable=CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$host")_RUSTFLAGS
flags=${!variable-}
if [ -n "$processor" ]; then
    variable=RUSTFLAGS
    flags+=" -Ctarget-cpu=$processor"
fi
build() {
    env "$variable=$flags $1" cargo build --release --package orthrus --target "$host" --target-dir "$target"
}

build "-Cprofile-generate=$profiles"
"$target/$host/release/orthrus" bench >/dev/null
"$profdata" merge -o "$target/merged.profdata" "$profiles"
build "-Cprofile-use=$target/merged.profdata"
cp -f "$target/$host/release/orthrus" "$output"
