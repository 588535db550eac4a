#!/usr/bin/env python3
"""Packs a folder so that the same files always make the same archive: sorted, without owners, all
with the time SOURCE_DATE_EPOCH.

Usage: crates/orthrus/packaging/archive.py FOLDER ARCHIVE     ARCHIVE ends in .zip or .tar.gz
"""

import gzip
import os
import pathlib
import sys
import tarfile
import time
import zipfile

FOLDER = pathlib.Path(sys.argv[1])
ARCHIVE = sys.argv[2]
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])


def mode(path):
    """Permissions, whatever those of the checkout are."""
    return 0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644


def pack_tar(paths):
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = EPOCH
        entry.mode = mode(FOLDER.parent / entry.name)
        return entry

    with (
        open(ARCHIVE, "wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=EPOCH) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        for path in paths:
            name = str(path.relative_to(FOLDER.parent))
            archive.add(path, name, recursive=False, filter=plain)


def pack_zip(paths):
    with zipfile.ZipFile(ARCHIVE, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in filter(pathlib.Path.is_file, paths):
            name = path.relative_to(FOLDER.parent).as_posix()
            entry = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = mode(path) << 16
            archive.writestr(entry, path.read_bytes())


def main():
    paths = [FOLDER, *sorted(FOLDER.rglob("*"))]
    if ARCHIVE.endswith(".zip"):
        pack_zip(paths)
    else:
        pack_tar(paths)


if __name__ == "__main__":
    main()
