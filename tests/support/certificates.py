"""An authority of one's own and a server's certificate from it, made by the openssl command."""

from __future__ import annotations

import subprocess
from pathlib import Path

_CONFIG = """\
[req]
distinguished_name = name
prompt = no
[name]
CN = {name}
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[server]
subjectAltName = DNS:{name},IP:127.0.0.1
authorityKeyIdentifier = keyid
"""


def certificates(folder: Path, host: str) -> tuple[Path, Path]:
    """The authority's certificate, and one for `host` with its key in the same file."""
    folder.mkdir(exist_ok=True)
    (folder / "server.cnf").write_text(_CONFIG.format(name=host))
    (folder / "ca.cnf").write_text(_CONFIG.format(name="Test authority"))
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    _run(folder, "req", "-x509", *curve, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
         "-config", "ca.cnf", "-extensions", "ca")  # fmt: skip
    _run(
        folder,
        "req",
        *curve,
        "-keyout",
        "server.key",
        "-out",
        "server.csr",
        "-config",
        "server.cnf",
    )
    _run(folder, "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
         "-CAcreateserial", "-out", "server.crt", "-days", "2", "-extfile", "server.cnf",
         "-extensions", "server")  # fmt: skip
    both = folder / "server.pem"
    both.write_text((folder / "server.crt").read_text() + (folder / "server.key").read_text())
    return folder / "ca.pem", both


def _run(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
