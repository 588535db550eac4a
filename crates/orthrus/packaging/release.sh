#!/usr/bin/env bash
# Builds one release archive: the binary for a target, with licences and pages, and its SHA-256.
# Leaves both in target/archives. What .github/workflows/release.yml runs for each system.
# Usage: crates/orthrus/packaging/release.sh TARGET     such as x86_64-unknown-linux-musl
set -euo pipefail
cd "$(dirname "$0")/../../.."

target=${1:?a target is missing, such as x86_64-unknown-linux-musl}
suffix=
# Keeps the paths of the sources and of cargo's downloads out of the binary: they must not change it.
flags="--remap-path-prefix=$PWD=/orthrus --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
case $target in
    *windows*)
        suffix=.exe
        # Needs no runtime to be installed.
        flags+=" -Ctarget-feature=+crt-static"
        ;;
esac
# Flags given for a target are added to those of .cargo/config.toml.
variable=CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$target")_RUSTFLAGS
env "$variable=$flags" \
    cargo build --locked --profile dist --package orthrus --target "$target"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=orthrus-$version-$target
out=$PWD/target/archives
rm -rf "${out:?}/$name"
mkdir -p "$out/$name"
cp "${CARGO_TARGET_DIR:-target}/$target/dist/orthrus$suffix" ./*.md LICENSE-* "$out/$name"
cp -R docs "$out/$name"
crates/orthrus/packaging/third-party.py "$target" >"$out/$name/LICENSES-THIRD-PARTY.txt"

cd "$out"
if [ -n "$suffix" ]; then
    archive=$name.zip
    7z a -bso0 "$archive" "$name"
else
    archive=$name.tar.gz
    # GNU tar can leave out who packed it and when, so that the same files make the same archive.
    manners=()
    if tar --version | grep -q GNU; then
        manners=(--sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=go+r-w)
    fi
    # An empty array counts as unset in the bash of macOS.
    tar -cf - ${manners[@]+"${manners[@]}"} "$name" | gzip -9n >"$archive"
fi
rm -rf "${out:?}/$name"
if command -v sha256sum >/dev/null; then
    sha256sum "$archive" >"$archive.sha256"
else
    shasum -a 256 "$archive" >"$archive.sha256"
fi
cat "$archive.sha256"
