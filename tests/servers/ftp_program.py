"""The program of an FTP server: pyftpdlib, as the JSON in the first argument says."""

import json
import os
import sys
from typing import Any

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.filesystems import AbstractedFS
from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler
from pyftpdlib.servers import FTPServer

_FACTS = ("MLSD", "MLST")


class ImplicitHandler(TLS_FTPHandler):
    """TLS from the first byte."""

    def handle(self) -> None:
        self.secure_connection(self.ssl_context)
        super().handle()


class Denying(AbstractedFS):
    """Lists files that it does not open."""

    def open(self, filename: str, mode: str) -> Any:
        if os.path.basename(filename).startswith("locked"):  # noqa: PTH119
            raise PermissionError(13, "Permission denied", filename)
        return super().open(filename, mode)


def main() -> None:
    said = json.loads(sys.argv[1])
    base: Any = {"none": FTPHandler, "explicit": TLS_FTPHandler, "implicit": ImplicitHandler}[said["tls"]]
    authorizer = DummyAuthorizer()
    authorizer.add_user(said["user"], said["password"], said["folder"], perm="elr")
    given = {
        "authorizer": authorizer,
        "abstracted_fs": Denying,
        "encoding": said["names"],
        "timeout": said["idle"],
        "auth_failed_timeout": 0,
    }
    if said["tls"] != "none":
        given |= {"certfile": said["certificate"], "tls_control_required": True, "tls_data_required": True}
    if not said["facts"]:
        given["proto_cmds"] = {name: one for name, one in base.proto_cmds.items() if name not in _FACTS}
    FTPServer((said["host"], said["port"]), type("Handler", (base,), given)).serve_forever()


main()
