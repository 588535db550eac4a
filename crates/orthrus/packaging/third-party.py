#!/usr/bin/env python3
"""Prints the licences of what is linked into an Orthrus binary, as their authors require.

Run by release.sh and deb.sh: their packages carry these texts. They are read from the sources that cargo has
fetched, so there is nothing to keep up to date.

Usage: crates/orthrus/packaging/third-party.py [TARGET]     such as x86_64-unknown-linux-musl;
default: this machine's
"""

import json
import pathlib
import subprocess
import sys

# If there is a choice, the shorter licence is used.
LONG = "LICENSE-APACHE"
NAMES = ("LICENSE", "LICENCE", "COPYRIGHT", "NOTICE")

RUST = """Rust's standard library, MIT OR Apache-2.0
Copyright (c) The Rust Project Contributors
https://github.com/rust-lang/rust/blob/master/COPYRIGHT
"""

MUSL = """musl libc (static builds for Linux only), MIT
Copyright (c) 2005-2020 Rich Felker, et al.
https://git.musl-libc.org/cgit/musl/tree/COPYRIGHT
"""


def output(*command):
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def host():
    """The target that rustc builds for by default."""
    lines = output("rustc", "-vV").splitlines()
    return next(line.removeprefix("host: ") for line in lines if line.startswith("host: "))


def linked(data):
    """The packages from elsewhere that the program needs to run, by name."""
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    packages = {package["id"]: package for package in data["packages"]}
    waiting = [package["id"] for package in data["packages"] if package["name"] == "orthrus"]
    seen = set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        for dependency in nodes[node]["deps"]:
            # Neither build scripts nor tests are in the binary.
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    found = [packages[node] for node in seen if packages[node]["source"]]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def texts(package):
    """The licence files of a package; without the long one if another will do."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.name.upper().startswith(NAMES))
    short = [path for path in files if path.name != LONG]
    return [path.read_text(errors="replace").strip() for path in short or files]


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else host()
    data = output("cargo", "metadata", "--format-version=1", "--locked", "--filter-platform", target)
    print("Orthrus contains code of others, under these licences.\n")
    print(RUST)
    print(MUSL)
    for package in linked(json.loads(data)):
        # Some leave the text to their repository.
        found = texts(package) or [f"See {package['repository']}"]
        print("=" * 80)
        print(f"{package['name']} {package['version']}, {package['license']}\n")
        print("\n\n".join(found), end="\n\n")


if __name__ == "__main__":
    main()
