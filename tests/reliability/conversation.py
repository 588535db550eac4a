"""Talks to an engine through pipes, with a limit on every wait."""

import contextlib
import os
import queue
import resource
import select
import shlex
import signal
import subprocess
import threading
import time

# Seconds an engine has for any answer.
PATIENCE = 3.0

# Bytes of address space, so that no engine can take all the memory there is.
ADDRESS_SPACE = 32 << 30


class Failed(Exception):
    """What an engine did instead of answering, as shown in the table."""


class Conversation:
    """A running engine."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            stderr=subprocess.DEVNULL,
            preexec_fn=limit_memory,
            start_new_session=True,
        )
        self.lines = queue.Queue()
        self.outgoing = queue.Queue()
        self.seen = []
        self.listening = True
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        threading.Thread(target=self.write, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            # Including the processes it has started.
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.outgoing.put(None)

    def read(self):
        pipe = self.process.stdout
        buffered = b""
        while self.listening:
            # With a limit, as nothing else wakes a thread that reads from a pipe.
            if not select.select([pipe], [], [], 0.05)[0]:
                continue
            text = os.read(pipe.fileno(), 65536)
            if not text:
                break
            *lines, buffered = (buffered + text).split(b"\n")
            for line in lines:
                self.lines.put(line.decode(errors="replace").strip())
        pipe.close()
        self.lines.put(None)

    def write(self):
        # In a thread of its own, as an engine that does not read would block it.
        while (text := self.outgoing.get()) is not None:
            try:
                self.process.stdin.write(text)
                self.process.stdin.flush()
            except (OSError, ValueError):
                pass
            self.outgoing.task_done()

    def send(self, *lines):
        """Sends lines; anything but a line of text can be given as bytes."""
        for line in lines:
            self.outgoing.put(line if isinstance(line, bytes) else f"{line}\n".encode())

    def wait_for(self, pattern, patience=PATIENCE):
        """The next line that matches the pattern."""
        deadline = time.monotonic() + patience
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise Failed("hang") from None
            if line is None:
                raise Failed(self.death())
            self.seen.append(line)
            if pattern.match(line):
                return line

    def close_input(self):
        """The end of the input, after all that was sent before."""
        self.settle()
        self.process.stdin.close()

    def close_output(self):
        """Stops reading the engine's output."""
        self.settle()
        self.listening = False
        self.reader.join()

    def settle(self):
        deadline = time.monotonic() + PATIENCE
        while self.outgoing.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.001)

    def wait_for_end(self, patience=PATIENCE):
        """Seconds until the process was gone."""
        start = time.monotonic()
        try:
            status = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            raise Failed("stays") from None
        if status:
            raise Failed(self.death())
        return time.monotonic() - start

    def death(self):
        """How the process ended."""
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return "deaf"
        return signal.Signals(-status).name if status < 0 else f"exit {status}"


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
