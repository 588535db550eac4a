"""The Debian package: installed, used, found by XBoard, and removed without a trace."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import engines
from engines import needs
from test_xboard import MATCH_TIMEOUT, virtual_screen

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
INSTALLED = pathlib.Path("/usr/games/orthrus")


def run(*command, **options):
    """The output of a command that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


@needs("objdump")
@needs("dpkg-deb")
@unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0, "packages need root")
@unittest.skipIf(INSTALLED.exists(), "a package is installed already")
class DebianPackage(unittest.TestCase):
    """Every test finds the package installed."""

    def setUp(self):
        built = run(REPOSITORY / "crates/orthrus/packaging/deb.sh", engines.ORTHRUS)
        package = re.search(r"in '(.*\.deb)'", built).group(1)
        self.package = REPOSITORY / package
        self.addCleanup(subprocess.run, ["dpkg", "--purge", "orthrus"], capture_output=True)
        run("dpkg", "-i", self.package)

    @needs("lintian")
    def test_debians_checks_find_nothing(self):
        found = run("lintian", "--fail-on", "none", self.package)
        self.assertEqual([line for line in found.splitlines() if line[:3] in ("E: ", "W: ")], [])

    def test_what_was_installed_is_removed(self):
        listed = [pathlib.Path(line) for line in run("dpkg", "-L", "orthrus").splitlines()]
        files = [path for path in listed if path.is_file()]
        self.assertIn(INSTALLED, files)
        self.assertIn(pathlib.Path("/usr/share/games/plugins/xboard/orthrus.eng"), files)
        self.assertEqual(run("dpkg", "--verify", "orthrus"), "")
        answer = run(INSTALLED, "uci", "position startpos", "go depth 3")
        self.assertIn("\nbestmove ", answer)
        if shutil.which("man"):
            self.assertIn("orthrus.6", run("man", "-w", "6", "orthrus"))
        run("dpkg", "--purge", "orthrus")
        self.assertEqual([path for path in files if path.exists()], [])

    @needs("Xvfb")
    @needs("xboard")
    def test_xboard_lists_it_and_plays(self):
        # XBoard saves the engines it knows when it exits.
        with tempfile.TemporaryDirectory() as folder, virtual_screen() as display:
            settings = pathlib.Path(folder) / "settings"
            # An existing user: XBoard adds only engines installed since, whatever date they bear.
            settings.touch()
            os.utime(settings, times=(time.time() - 60,) * 2)
            debug = pathlib.Path(folder) / "debug"
            match = ["xboard", "-fcp", "orthrus", "-scp", "orthrus", "-mg", "1", "-depth", "1"]
            quiet = ["-popupExitMessage", "false", "-popupMoveErrors", "false"]
            keep = ["-saveSettingsFile", settings, "-saveSettingsOnExit", "true"]
            log = ["-debug", "-nameOfDebugFile", debug, "-settingsFile", settings]
            run(
                *(match + quiet + keep + log),
                cwd=folder,
                env={**os.environ, "HOME": folder, "DISPLAY": display},
                stdin=subprocess.DEVNULL,
                timeout=MATCH_TIMEOUT,
            )
            names = re.search(
                r"^-firstChessProgramNames \{(.*?)^\}", settings.read_text(), re.MULTILINE | re.DOTALL
            )
            self.assertIn("orthrus", names.group(1).splitlines())
            self.assertIn("<first : feature myname=\"Orthrus", debug.read_text(errors="replace"))
