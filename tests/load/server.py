"""The server as `make run` starts it, on a free port; it can be killed."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60


class Server:
    """A server on a free port of this machine; all that it keeps is in *folder*."""

    def __init__(self, folder, root=ROOT):
        self.port, self.root = free_port(), root
        self.log = Path(folder) / "server.log"
        self.env = os.environ | {"DATA_DIR": str(folder)}
        make = ["make", "--no-print-directory", f"PORT={self.port}"]
        files = f"{folder}/static/staticfiles.json"
        subprocess.run([*make, files], cwd=self.root, env=self.env, check=True)
        dry = subprocess.run(
            [*make, "--dry-run", "run"],
            cwd=self.root,
            env=self.env,
            check=True,
            capture_output=True,
            text=True,
        )
        last = dry.stdout.rpartition("exec ")[2]
        self.command = shlex.split(last.replace("\\\n", " "))
        self.run = None

    def start(self):
        with self.log.open("a") as log:
            self.run = subprocess.Popen(
                self.command,
                cwd=self.root,
                env=self.env,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.run.poll() is None, self.log.read_text()
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.05)

    def kill(self):
        """Master and workers at once, in the middle of whatever they do."""
        os.killpg(self.run.pid, signal.SIGKILL)
        self.run.wait()

    def stop(self):
        if self.run and self.run.poll() is None:
            os.killpg(self.run.pid, signal.SIGTERM)
            self.run.wait(PATIENCE)

    def _answers(self):
        door = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            door.request("GET", "/sign-in/")
            status = door.getresponse().status
            assert status == 200, f"{status}\n{self.log.read_text()}"
            return True
        except (OSError, HTTPException):
            return False
        finally:
            door.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
