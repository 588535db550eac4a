#!/usr/bin/env bash
# Packs a built binary and all that `make install` installs with it as a Debian package, into
# target/package. Needs dpkg-deb, binutils and python3, not root. DEBFULLNAME and DEBEMAIL name the
# maintainer, as for Debian's own tools; by default whoever made the newest commit can be asked.
# Usage: crates/orthrus/packaging/deb.sh [BINARY]
set -euo pipefail
sources=$(realpath "$(dirname "$0")/../../..")
binary=$(realpath "${1:-$sources/target/release/orthrus}")
cd "$sources"

version=$("$binary" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
out=target/package
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
maintainer="${DEBFULLNAME:-The Orthrus developers}"
maintainer+=" <${DEBEMAIL:-$(git log -1 --format=%ae 2>/dev/null || hostname -f | sed 's/^/orthrus@/')}>"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

make --no-print-directory --silent install \
    BINARY="$binary" DESTDIR="$root" PREFIX=/usr BINDIR=/usr/games
strip --strip-unneeded "$root/usr/games/orthrus"

# Debian compresses manual pages, has its own form of changelogs, and one file for licences that names
# common ones by where Debian keeps them.
gzip -9n "$root/usr/share/man/man6/orthrus.6"
documents=$root/usr/share/doc/orthrus
gzip -9n >"$documents/changelog.gz" <<CHANGES
orthrus ($version) unstable; urgency=medium

  * /usr/share/doc/orthrus/CHANGELOG.md has the changes.

 -- $maintainer  $(LC_ALL=C date --utc -R -d "@$SOURCE_DATE_EPOCH")
CHANGES
{
    echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    echo "Comment: third-party.txt.gz beside this file has the licences of what is linked in."
    echo
    echo "Files: *"
    echo "$(grep -m 1 '^Copyright' "$documents/LICENSE-MIT" | sed 's/ (c)/:/')"
    echo "License: Expat or Apache-2.0"
    echo
    echo "License: Expat"
    sed -e '1,/^Copyright/d' -e 's/^$/./' -e 's/^/ /' "$documents/LICENSE-MIT" | sed 1d
    echo
    echo "License: Apache-2.0"
    echo " /usr/share/common-licenses/Apache-2.0 has the text."
} >"$documents/copyright"
crates/orthrus/packaging/third-party.py | gzip -9n >"$documents/third-party.txt.gz"
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
    echo "Maintainer: $maintainer"
    echo "Section: games"
    echo "Priority: optional"
    echo "Installed-Size: $(du -ks --exclude=DEBIAN "$root" | cut -f 1)"
    [ ${#depends[@]} -eq 0 ] || echo "Depends: $(printf '%s, ' "${depends[@]}" | sed 's|, $||')"
    echo "Suggests: xboard"
    echo "Description: chess engine that speaks UCI and CECP"
    echo " Orthrus plays and analyses chess, Chess960 and ten variants, such as atomic and"
    echo " crazyhouse, with neural networks learned from its own games. Any chess"
    echo " program can use it: it understands the Universal Chess Interface as well as"
    echo " the protocol of XBoard, which lists it by itself."
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
dpkg-deb --root-owner-group --build "$root" "$out/orthrus_${version}_$architecture.deb"
