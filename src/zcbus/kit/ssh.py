"""Identity of SSH servers and users: one trusted host key, one private key."""

import re

import asyncssh

_KEY = re.compile(r"(-----BEGIN [A-Z0-9 ]+-----)(.*)(-----END [A-Z0-9 ]+-----)", re.DOTALL)


class HostKeyGuard(asyncssh.SSHClient):
    """Trusts the host key with one fingerprint, before anything secret is sent. To be used with empty `known_hosts`."""

    def __init__(self, trusted: str) -> None:
        """`trusted`: `SHA256:…`; empty: none is."""
        self._trusted, self.shown = trusted, ""

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        self.shown = key.get_fingerprint()
        return bool(self._trusted) and self.shown == self._trusted


def private_key(text: str) -> asyncssh.SSHKey:
    """A key as OpenSSH or PEM writes it. Forms have one line for it, so ends of lines are put back. Raises
    ValueError."""
    found = _KEY.search(text)
    lines = "".join(found[2].split()) if found else ""
    body = "\n".join(lines[at : at + 70] for at in range(0, len(lines), 70))
    try:
        return asyncssh.import_private_key(f"{found[1]}\n{body}\n{found[3]}\n" if found else text)
    except asyncssh.KeyImportError as error:
        raise ValueError(str(error)) from error
