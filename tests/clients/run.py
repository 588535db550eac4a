"""Runs the client tests: real chess programs drive the built engine.

Prints a line per test and, last, `clients: N passed, N failed, N skipped`. A test that cannot run
because a program is missing is skipped, with its name and the reason, and noted in the file
ORTHRUS_SKIP_LOG names, if any.
"""

import argparse
import os
import sys
import time
import unittest

import engines


class Report(unittest.TestResult):
    """One line per test, with its duration, as it ends."""

    def __init__(self):
        super().__init__()
        self.passed = 0
        self.begun = 0.0

    def startTest(self, test):
        super().startTest(test)
        self.begun = time.monotonic()

    def say(self, verdict, test, text=""):
        seconds = time.monotonic() - self.begun
        print(f"{verdict:7} {name(test)} ({seconds:.1f} s)", flush=True)
        if text:
            print(text, flush=True)

    def addSuccess(self, test):
        self.passed += 1
        self.say("ok", test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say("FAILED", test, self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.say("FAILED", test, self.errors[-1][1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            kept = self.failures if issubclass(err[0], test.failureException) else self.errors
            self.say("FAILED", subtest, kept[-1][1])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        line = f"skipped: {name(test)} ({reason})"
        print(line, flush=True)
        if log := os.environ.get("ORTHRUS_SKIP_LOG"):
            with open(log, "a", encoding="utf-8") as file:
                print(line, file=file)


def name(test):
    return test.id()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="the engine binary")
    parser.add_argument("names", nargs="*", help="only these, such as test_xboard")
    arguments = parser.parse_args()
    engines.ORTHRUS = os.path.abspath(arguments.engine)

    loader = unittest.TestLoader()
    folder = os.path.dirname(os.path.abspath(__file__))
    if arguments.names:
        suite = loader.loadTestsFromNames(arguments.names)
    else:
        suite = loader.discover(folder)
    report = Report()
    suite.run(report)
    failed = len(report.failures) + len(report.errors)
    print(f"clients: {report.passed} passed, {failed} failed, {len(report.skipped)} skipped")
    return 1 if failed or not (report.passed or report.skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
