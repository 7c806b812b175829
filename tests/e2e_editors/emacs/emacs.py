"""The real Emacs in a terminal, driven by keys, on a clean profile.

`Emacs` starts `emacs -Q -nw` in a terminal of its own with the lines a user would paste (docs/editors.md). Keys go
through the terminal; what a user sees is asked for by emacsclient, which Emacs answers also while a prompt is open.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[3] / "docs" / "editors.md"

WATCHDOG = 280.0
"""Seconds after which an Emacs is killed, whatever it does."""

INIT = """\
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*-*"))
  (add-to-list 'load-path folder))
(setq native-comp-deferred-compilation nil)
(setq make-backup-files nil auto-save-default nil create-lockfiles nil ring-bell-function #'ignore)
(setq inhibit-startup-screen t)
(setq server-socket-dir %(sockets)s server-name "driven")
(require 'server)
(server-start)
(setq-default eglot-workspace-configuration
              '(:pairwright %(settings)s))
(require 'eglot)
%(snippet)s
"""


def snippet() -> str:
    """The lines for Emacs of docs/editors.md."""
    section = PAGE.read_text().split("\n## Emacs (eglot)\n")[1].split("\n## ")[0]
    found = re.findall(r"^```elisp\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    assert found, "docs/editors.md has no lines for Emacs"
    return "".join(found)


def plist(value: Any) -> str:
    """`value` as Emacs Lisp, an object as a property list."""
    if isinstance(value, Mapping):
        return "(" + " ".join(f":{key} {plist(one)}" for key, one in value.items()) + ")"
    if isinstance(value, bool):
        return "t" if value else ":json-false"
    return json.dumps(value)


class Emacs:
    """One Emacs. `keys` types, `wait` polls, `ask` evaluates."""

    def __init__(
        self, home: Path, root: Path, *, settings: Mapping[str, Any], env: Mapping[str, str]
    ) -> None:
        found = shutil.which("emacs"), shutil.which("emacsclient")
        assert all(found), "no Emacs: apt-get install emacs-nox elpa-eglot"
        self._client = str(found[1])
        self._socket = home / "sockets" / "driven"
        self._socket.parent.mkdir(parents=True, mode=0o700)
        words = {
            "sockets": json.dumps(str(self._socket.parent)),
            "settings": plist(settings),
            "snippet": snippet(),
        }
        init = home / "init.el"
        init.write_text(INIT % words)
        self._env = {**env, "HOME": str(home), "TERM": "vt220", "LANG": "C.UTF-8"}
        argv = [str(found[0]), "-Q", "-nw", "-l", str(init)]
        self._seen = bytearray()
        self._pid, self._terminal = _spawn(argv, root, self._env)
        threading.Thread(target=self._read, daemon=True).start()
        self._watchdog = threading.Timer(WATCHDOG, self._kill)
        self._watchdog.daemon = True
        self._watchdog.start()
        self.wait("Emacs", self._socket.exists)

    def _read(self) -> None:
        """Keep the terminal empty, or Emacs would wait to write."""
        with contextlib.suppress(OSError):
            while piece := os.read(self._terminal, 65536):
                self._seen += piece

    def keys(self, text: str) -> None:
        """Type. `M-x` and the like are written as the terminal sends them: `\\x1bx`."""
        os.write(self._terminal, text.encode())

    def command(self, name: str) -> None:
        """`M-x name RET`."""
        self.keys(f"\x1bx{name}\r")

    def ask(self, form: str) -> Any:
        """The value of `form`, evaluated where the user is; it must have a form in JSON."""
        # By a file: emacsclient cuts and escapes what it prints.
        answer = self._socket.with_name("answer.json")
        where = "(window-buffer (if (minibufferp (window-buffer)) (minibuffer-selected-window) (selected-window)))"
        wrapped = (
            "(progn (require 'json) (let ((coding-system-for-write 'utf-8)) (write-region"
            f" (with-current-buffer {where} (json-encode {form})) nil {json.dumps(str(answer))} nil 0)) t)"
        )
        words = [self._client, "-s", str(self._socket), "--eval", wrapped]
        done = subprocess.run(words, env=self._env, capture_output=True, text=True, timeout=30)
        assert done.returncode == 0 and done.stdout.strip() == "t", f"{form}\n{done}"
        return json.loads(answer.read_text())

    def find(self, path: Path) -> None:
        """Open a file by its keys and wait for the server to know it."""
        self.keys(f"\x18\x06\x01\x0b{path}\r")
        self.wait("the file", lambda: self.ask("buffer-file-name") == str(path))
        self.wait("eglot", lambda: self.ask("(and (eglot-current-server) (eglot-managed-p) t)"), 60)

    def text(self) -> str:
        return str(self.ask("(buffer-substring-no-properties (point-min) (point-max))"))

    def echo(self) -> str:
        """What the line at the bottom of the screen says."""
        return str(self.ask('(or (current-message) "")'))

    def traffic(self) -> str:
        """What went between eglot and the server, as eglot writes it down."""
        return str(
            self.ask(
                "(with-current-buffer (jsonrpc-events-buffer (eglot-current-server)) (buffer-string))"
            )
        )

    def messages(self) -> str:
        return str(self.ask('(with-current-buffer "*Messages*" (buffer-string))'))

    def prompt(self) -> str:
        """The question in the minibuffer; empty where there is none."""
        form = (
            "(and (active-minibuffer-window)"
            " (with-current-buffer (window-buffer (active-minibuffer-window)) (minibuffer-prompt)))"
        )
        return str(self.ask(form) or "")

    def titles(self) -> list[str]:
        """Titles of the code actions at point or in the region, as eglot gets them."""
        self.settle()
        form = (
            "(and (eglot-current-server) (mapcar (lambda (one) (plist-get one :title))"
            " (apply #'eglot-code-actions (eglot--region-bounds))))"
        )
        return list(self.ask(form) or [])

    def choose(self, title: str, timeout: float = 40.0) -> None:
        """Take the code action that begins with `title` from the prompt, by its words."""
        whole = self.wait(
            f"the action {title!r}",
            lambda: next((one for one in self.titles() if one.startswith(title)), None),
            timeout,
        )
        self.command("eglot-code-actions")
        self.wait("the actions", lambda: "Pick an action" in self.prompt())
        self.keys(f"{whole}\r")
        self.wait("the choice", lambda: not self.prompt())
        self.settle()

    def settle(self) -> None:
        """Wait until Emacs waits for keys: a request inside of a command that waits for one breaks both."""
        self.wait("a pause", lambda: self.ask("(and (current-idle-time) t)"))

    def wait(self, what: str, ready: Callable[[], Any], timeout: float = 40.0) -> Any:
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if got := ready():
                return got
            time.sleep(0.2)
        raise AssertionError(f"timed out waiting for {what}\n{self.report()}")

    def report(self) -> str:
        """For a failure: the messages, and the end of what the terminal got."""
        screen = re.sub(rb"(?:\x1b\[[0-9;?]*[A-Za-z]|\x1b.|\s)+", b" ", bytes(self._seen[-4000:]))
        try:
            said = f"{self.messages()[-3000:]}\nprompt: {self.prompt()}"
        except (AssertionError, subprocess.TimeoutExpired) as error:
            said = str(error)
        return f"{said}\n{screen.decode(errors='replace')}"

    def _kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)

    def close(self) -> None:
        """End Emacs as a user does who wants to keep nothing; the server ends with it."""
        self._watchdog.cancel()
        with contextlib.suppress(AssertionError, subprocess.TimeoutExpired):
            self.ask("(progn (run-at-time 0 nil (lambda () (kill-emacs))) t)")
            for _ in range(100):
                if os.waitpid(self._pid, os.WNOHANG)[0]:
                    return
                time.sleep(0.2)
        self._kill()
        os.waitpid(self._pid, 0)


def _spawn(argv: list[str], folder: Path, env: Mapping[str, str]) -> tuple[int, int]:
    """Start `argv` in a terminal of 120 by 40: its process and the terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe(argv[0], argv, dict(env))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    return pid, terminal
