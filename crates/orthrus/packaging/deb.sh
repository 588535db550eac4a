#!/usr/bin/env bash
# Packs a built binary and all that `make install` installs with it as a Debian package, into
# target/package. Needs dpkg-deb and binutils, not root.
# Usage: crates/orthrus/packaging/deb.sh [BINARY]
set -euo pipefail
cd "$(dirname "$0")/../../.."

binary=$(realpath "${1:-target/release/orthrus}")
version=$("$binary" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
out=target/package
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

make --no-print-directory --silent install \
    BINARY="$binary" DESTDIR="$root" PREFIX=/usr BINDIR=/usr/games
strip --strip-unneeded "$root/usr/games/orthrus"

# Debian compresses manual pages, has its own name for the changelog, and one file for licences.
gzip -9n "$root/usr/share/man/man6/orthrus.6"
documents=$root/usr/share/doc/orthrus
gzip -9n <"$documents/CHANGELOG.md" >"$documents/changelog.gz"
{
    echo "Orthrus may be used under either of these licences, as you like."
    echo
    cat "$documents/LICENSE-MIT" "$documents/LICENSE-APACHE"
    echo
    crates/orthrus/packaging/third-party.py
} >"$documents/copyright"
rm "$documents/LICENSE-MIT" "$documents/LICENSE-APACHE"
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_orthrus" "$root/usr/share/zsh/vendor-completions"
rmdir "$root/usr/share/zsh/site-functions"

# The newest symbol of each library decides which version of it is needed; a static binary has none.
depends=()
glibc=$({ objdump -T "$root/usr/games/orthrus" 2>/dev/null || true; } |
    sed -n 's/.*GLIBC_\([0-9.]*\)).*/\1/p' | sort -V | tail -n 1)
[ -z "$glibc" ] || depends+=("libc6 (>= $glibc)")
if objdump -p "$root/usr/games/orthrus" | grep -q 'NEEDED *libgcc_s'; then
    depends+=("libgcc-s1")
fi

mkdir "$root/DEBIAN"
{
    echo "Package: orthrus"
    echo "Version: $version"
    echo "Architecture: $architecture"
    echo "Maintainer: The Orthrus developers"
    echo "Section: games"
    echo "Priority: optional"
    echo "Installed-Size: $(du -ks --exclude=DEBIAN "$root" | cut -f 1)"
    [ ${#depends[@]} -eq 0 ] || echo "Depends: $(printf '%s, ' "${depends[@]}" | sed 's|, $||')"
    echo "Suggests: xboard"
    echo "Description: chess engine that speaks UCI and CECP"
    echo " Orthrus plays and analyses standard chess and Chess960 with a neural network learned"
    echo " from its own games. Any chess program can use it: it understands the Universal Chess"
    echo " Interface as well as the protocol of XBoard, which lists it by itself."
} >"$root/DEBIAN/control"
# XBoard reads a file only if it is newer than the user's settings, and packages keep old dates.
cat >"$root/DEBIAN/postinst" <<'SCRIPT'
#!/bin/sh
set -e
touch /usr/share/games/plugins/xboard/orthrus.eng
SCRIPT
chmod 755 "$root/DEBIAN/postinst"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod -R u+rwX,go+rX,go-w "$root"

mkdir -p "$out"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)} \
    dpkg-deb --root-owner-group --build "$root" "$out/orthrus_${version}_$architecture.deb"
