#!/usr/bin/env bash
# Builds release archives: the binary for a system, with what belongs to it, and its SHA-256. Each
# binary runs before it is packed, under QEMU or Wine if it is another system's, and must have the
# bench signature. The same commit and compiler give the same bytes. Leaves all in target/archives.
#
# Usage: crates/orthrus/packaging/release.sh all|TARGET...     such as x86_64-unknown-linux-musl
#
# `all`, on Linux on x86-64, is Linux (static, x86-64 and arm64) and Windows. That needs Debian's
# packages gcc-mingw-w64-x86-64, python3, qemu-user-static, wine and wine64. A Mac builds for Macs.
set -euo pipefail
cd "$(dirname "$0")/../../.."
# They would replace the flags given for a target.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS

sources=$PWD
downloads=${CARGO_HOME:-$HOME/.cargo}
if [[ $sources$downloads = *[[:space:]]* ]]; then
    echo "flags for the compiler cannot have blanks in them: $sources, $downloads" >&2
    exit 1
fi
targets=("${@:?a target is missing, such as x86_64-unknown-linux-musl, or all}")
if [ "${targets[*]}" = all ]; then
    targets=(x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-pc-windows-gnu)
fi

folder=crates/orthrus/packaging
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
out=$PWD/target/archives
build=${CARGO_TARGET_DIR:-target}
host=$(rustc -vV | sed -n 's/^host: //p')
# Links without a C compiler for ARM.
[[ $host = aarch64-* ]] || export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
if [ -z "${SOURCE_DATE_EPOCH-}" ]; then
    SOURCE_DATE_EPOCH=315532800
    [ ! -e .git ] || SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
fi
export SOURCE_DATE_EPOCH

# The command that runs a binary of the target here, but for the binary itself.
launcher() {
    case $1 in
        "${host%%-*}"-*linux*) ;;
        aarch64-*linux*) echo qemu-aarch64-static ;;
        *windows*) echo tests/platforms/wine ;;
        # Macs run the programs of their older processors.
        *darwin*) ;;
        *)
            echo "nothing here runs programs for $1" >&2
            exit 1
            ;;
    esac
}

build() {
    # Keeps the paths of the sources and of cargo's downloads out of the binary: they must not change it.
    local flags="--remap-path-prefix=$sources=/orthrus --remap-path-prefix=$downloads=/cargo"
    # The linker would note when it ran.
    [[ $1 != *windows-gnu ]] || flags+=" -Clink-arg=-Wl,--no-insert-timestamp"
    # Flags given for a target are added to those of .cargo/config.toml.
    local variable
    variable=CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$1")_RUSTFLAGS
    env "$variable=$flags" cargo build --quiet --locked --profile dist --package orthrus \
        --target "$1" --target-dir "$build"
}

# pack TARGET BINARY COMMAND...: the command runs the binary.
pack() {
    local target=$1 binary=$2 name=orthrus-$version-$1 system=linux archive
    shift 2
    case $target in
        *windows*) system=windows ;;
        *darwin*) system=macos ;;
    esac
    rm -rf "${out:?}/$name"
    mkdir -p "$out/$name"
    cp "$binary" ./*.md LICENSE-* "$out/$name"
    cp -R docs "$out/$name"
    cp "$folder/readme/$system.txt" "$out/$name/READ-FIRST.txt"
    "$folder/third-party.py" "$target" >"$out/$name/LICENSES-THIRD-PARTY.txt"
    "$@" companion eng | tr -d '\r' >"$out/$name/orthrus.eng"
    if [ $system = windows ]; then
        cp "$folder/readme/winboard.txt" "$out/$name/winboard.txt"
        # Notepad's line ends.
        sed -i 's/$/\r/' "$out/$name"/*.txt
        archive=$name.zip
    else
        archive=$name.tar.gz
    fi
    "$folder/archive.py" "$out/$name" "$out/$archive"
    rm -rf "${out:?}/$name"
    cd "$out"
    if command -v sha256sum >/dev/null; then
        sha256sum "$archive" >"$archive.sha256"
    else
        shasum -a 256 "$archive" >"$archive.sha256"
    fi
    cat "$archive.sha256"
    cd - >/dev/null
}

for target in "${targets[@]}"; do
    if ! [ -d "$(rustc --print target-libdir --target "$target")" ]; then
        rustup --quiet target add "$target"
    fi
    run=$(launcher "$target")
    read -ra command <<<"$run"
    build "$target"
    binary=$build/$target/dist/orthrus
    [[ $target != *windows* ]] || binary+=.exe
    command+=("$binary")
    # 77: there is no commit to compare with, as in an archive of the sources.
    signature=$(tests/check-bench "${command[@]}") || [ $? = 77 ] || {
        echo "$target: $signature"
        exit 1
    }
    echo "$target: $signature"
    pack "$target" "$binary" "${command[@]}"
done
