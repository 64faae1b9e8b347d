"""A private OpenLDAP server in a temporary folder, with a certificate of its own for localhost and 127.0.0.1.

python -m tests.servers.openldap NAME PASSWORD      has that person, prints the platform's settings for it as JSON (no
                                                    line where slapd is missing), runs until its standard input ends
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import ldap3
import pytest

from tests.support.certificate import self_signed
from tests.support.processes import die_with_parent, wait_until

BASE = "dc=example,dc=com"
PEOPLE = f"ou=people,{BASE}"
READER, READER_PASSWORD = f"cn=reader,{BASE}", "reads-names-only"

_PROGRAMS = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
_SECONDS = 20.0
_ROOT, _ROOT_PASSWORD = f"cn=root,{BASE}", "fills-the-directory"
_CONFIGURATION = """
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile {folder}/pid
TLSCertificateFile {folder}/server.crt
TLSCertificateKeyFile {folder}/server.key
security simple_bind=128
# The trap that clients have to know: a name without a password is taken as anonymous.
allow bind_anon_dn
database mdb
suffix "{base}"
rootdn "{root}"
rootpw {password}
directory {folder}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="{reader}" read by * none
"""


class OpenLdapServer:
    """Started by the constructor, on one port for ldaps:// and one for ldap:// with StartTLS; it takes no password in
    clear."""

    def __init__(self) -> None:
        self._program = shutil.which("slapd", path=_PROGRAMS)
        if self._program is None:
            pytest.skip("slapd is missing: Debian package slapd")
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-openldap-"))
        self.tls_port, self.port = _free_ports()
        certificate, key = self_signed()
        self.certificate = self._folder / "server.crt"
        self.certificate.write_bytes(certificate)
        (self._folder / "server.key").write_bytes(key)
        (self._folder / "data").mkdir()
        values = {"folder": self._folder, "base": BASE, "root": _ROOT, "password": _ROOT_PASSWORD, "reader": READER}
        (self._folder / "slapd.conf").write_text(_CONFIGURATION.format(**values))
        self._process: subprocess.Popen[bytes] | None = None
        self.start()
        self._fill()

    def start(self) -> None:
        """Start on the same ports as before, wait until it answers."""
        # One address more, which the certificate does not name.
        ldaps = " ".join(f"ldaps://{address}:{self.tls_port}" for address in ("127.0.0.1", "127.0.0.2"))
        addresses = f"{ldaps} ldap://127.0.0.1:{self.port}"
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._program), "-f", str(self._folder / "slapd.conf"), "-h", addresses, "-d", "256"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        wait_until(self._answers, _SECONDS, self.log)

    def stop(self) -> None:
        """Stop in order."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(_SECONDS)
            self._process = None

    def remove(self) -> None:
        """Stop and delete everything."""
        self.stop()
        shutil.rmtree(self._folder)

    def log(self) -> str:
        """Connections and operations, with names and without passwords."""
        return (self._folder / "log").read_text()

    def add_person(self, name: str, password: str, entry: str | None = None, kind: str = "staff") -> None:
        """A person below PEOPLE; `entry`: the name of the entry itself."""
        values = {"sn": name, "cn": name, "uid": name, "userPassword": password, "employeeType": kind}
        self._add(f"cn={entry or name},{PEOPLE}", "inetOrgPerson", values | {"cn": entry or name})

    def _fill(self) -> None:
        self._add(BASE, ["dcObject", "organization"], {"dc": "example", "o": "Example"})
        self._add(PEOPLE, "organizationalUnit", {"ou": "people"})
        role = ["organizationalRole", "simpleSecurityObject"]
        self._add(READER, role, {"cn": "reader", "userPassword": READER_PASSWORD})

    def _add(self, dn: str, classes: str | list[str], values: dict[str, str]) -> None:
        server = ldap3.Server("127.0.0.1", self.tls_port, use_ssl=True)
        connection = ldap3.Connection(server, _ROOT, _ROOT_PASSWORD, auto_bind=True, raise_exceptions=True)
        connection.add(dn, classes, values)
        connection.unbind()

    def _answers(self) -> bool:
        try:
            for port in (self.tls_port, self.port):
                socket.create_connection(("127.0.0.1", port), _SECONDS).close()
        except OSError:
            return False
        return True


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as two:
        one.bind(("127.0.0.1", 0))
        two.bind(("127.0.0.1", 0))
        return one.getsockname()[1], two.getsockname()[1]


if __name__ == "__main__":
    if shutil.which("slapd", path=_PROGRAMS) is None:
        sys.exit(0)
    running = OpenLdapServer()
    try:
        running.add_person(*sys.argv[1:3])
        settings = {
            "ZCBUS_LDAP_URL": f"ldaps://127.0.0.1:{running.tls_port}",
            "ZCBUS_LDAP_BIND_DN": READER,
            "ZCBUS_LDAP_BIND_PASSWORD": READER_PASSWORD,
            "ZCBUS_LDAP_BASE": BASE,
            "ZCBUS_TLS_TRUSTED": str(running.certificate),
        }
        print(json.dumps(settings), flush=True)
        sys.stdin.read()
    finally:
        running.remove()
