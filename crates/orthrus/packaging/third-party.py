#!/usr/bin/env python3
"""Prints the licences of what is linked into an Orthrus binary, as their authors require.

Run by release.sh and deb.sh: their packages carry these texts. They are read from the sources that cargo has
fetched, so there is nothing to keep up to date.

Usage: crates/orthrus/packaging/third-party.py [TARGET]     such as x86_64-unknown-linux-musl;
default: this machine's
"""

import html.parser
import json
import pathlib
import re
import subprocess
import sys

# If there is a choice, the shorter licence is used.
LONG = "LICENSE-APACHE"
NAMES = ("LICENSE", "LICENCE", "COPYRIGHT", "NOTICE")

RUST = """Rust's standard library, MIT OR Apache-2.0
Copyright (c) The Rust Project Contributors
https://github.com/rust-lang/rust/blob/master/COPYRIGHT
"""

# What MIT wants in all copies.
PERMISSION = """Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense,
and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so,
subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN
NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY,
WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""

MUSL = f"""musl libc, MIT
https://git.musl-libc.org/cgit/musl/tree/COPYRIGHT

Copyright (c) 2005-2020 Rich Felker, et al.

{PERMISSION}"""

MINGW = """MinGW-w64's start-up code, ZPL-2.1
Copyright (c) 2009-2016 the mingw-w64 project

Redistribution and use in source and binary forms, with or without modification, are permitted
provided that the following conditions are met:

1. Redistributions in source code must retain the accompanying copyright notice, this list of
   conditions, and the following disclaimer.
2. Redistributions in binary form must reproduce the accompanying copyright notice, this list of
   conditions, and the following disclaimer in the documentation and/or other materials provided
   with the distribution.
3. Names of the copyright holders must not be used to endorse or promote products derived from this
   software without prior written permission from the copyright holders.
4. The right to distribute this software or to use it for any purpose does not give you the right to
   use Servicemarks (sm) or Trademarks (tm) of the copyright holders. Use of them is covered by
   separate agreement with the copyright holders.
5. If any files are modified, you must cause the modified files to carry prominent notices stating
   that you changed the files and the date of any change.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS "AS IS" AND ANY EXPRESSED OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR
PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDERS BE LIABLE FOR ANY DIRECT, INDIRECT,
INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT
OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
POSSIBILITY OF SUCH DAMAGE.

The support library of GCC, GPL-3.0-or-later with the GCC Runtime Library Exception, which lets
programs of any licence be linked with it
Copyright (c) Free Software Foundation, Inc.
https://www.gnu.org/licenses/gcc-exception-3.1.html
"""


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def host():
    """The target that rustc builds for by default."""
    lines = output("rustc", "-vV").splitlines()
    return next(line.removeprefix("host: ") for line in lines if line.startswith("host: "))


class Text(html.parser.HTMLParser):
    """What a page says, without its marks."""

    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_data(self, data):
        self.parts.append(data)


def rust():
    """The notices of Rust's standard library, and of what it is made of, as the compiler brings them."""
    page = pathlib.Path(output("rustc", "--print", "sysroot").strip(), "share/doc/rust/COPYRIGHT-library.html")
    if not page.is_file():
        return RUST
    text = Text()
    text.feed(page.read_text(encoding="utf-8"))
    lines = [line.strip() for line in "".join(text.parts).splitlines()]
    return f"{RUST}\n" + re.sub(r"\n{3,}", "\n\n", "\n".join(lines).strip()) + "\n"


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
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in short or files]


def without_texts(package):
    """What stands for the texts of a package that leaves them to its repository."""
    notice = [f"See {package['repository']}"]
    if "MIT" in package["license"]:
        notice += [f"Copyright (c) {', '.join(package['authors']) or 'its authors'}", PERMISSION]
    return notice


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    target = sys.argv[1] if len(sys.argv) > 1 else host()
    data = output("cargo", "metadata", "--format-version=1", "--locked", "--filter-platform", target)
    print("Orthrus contains code of others, under these licences.\n")
    print(rust())
    for system, text in (("-musl", MUSL), ("-windows-gnu", MINGW)):
        if target.endswith(system):
            print(text)
    for package in linked(json.loads(data)):
        found = texts(package) or without_texts(package)
        print("=" * 80)
        print(f"{package['name']} {package['version']}, {package['license']}\n")
        print("\n\n".join(found), end="\n\n")


if __name__ == "__main__":
    main()
