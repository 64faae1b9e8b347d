"""A private server of S3: SeaweedFS, from its package of Python."""

import json
import os
import shutil
import socket
import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Any

import obstore
from obstore.store import S3Store

_START_SECONDS = 60.0
_STOP_SECONDS = 20.0
READER, LISTER, WRITER = "READERKEY", "LISTERKEY", "WRITERKEY"
"""Who may read, only list, or do everything; their secrets are their names in small letters."""
_ACTIONS = {WRITER: ["Admin"], READER: ["Read", "List"], LISTER: ["List"]}


class S3Server:
    """A running server with one bucket, and a catalogue of Iceberg with another one, `lake_bucket`."""

    bucket = "shop"
    lake_bucket = "lakehouse"

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-s3-"))
        ports = {name: _free_port() for name in ("master", "volume", "filer", "s3")}
        internal = {f"{name}.port.grpc": _free_port() for name in ports}
        self.endpoint = f"http://127.0.0.1:{ports['s3']}"
        catalogue = _free_port()
        self.catalogue = f"http://127.0.0.1:{catalogue}"
        self._master = f"127.0.0.1:{ports['master']}"
        self._options = [f"-{name}.port={port}" for name, port in ports.items()]
        self._options.append(f"-s3.port.iceberg={catalogue}")
        self._options += [f"-{name}={port}" for name, port in internal.items()]
        self._master += f".{internal['master.port.grpc']}"
        self._has_lake_bucket = False
        self._process: subprocess.Popen[bytes] | None = None
        identities = [
            {
                "name": key,
                "credentials": [{"accessKey": key, "secretKey": key.lower()}],
                "actions": actions,
            }
            for key, actions in _ACTIONS.items()
        ]
        (self._folder / "identities.json").write_text(json.dumps({"identities": identities}))
        self._bucket = S3Store(
            self.bucket,
            endpoint=self.endpoint,
            region="us-east-1",
            access_key_id=WRITER,
            secret_access_key=WRITER.lower(),
            client_options={"allow_http": True},
            retry_config={"max_retries": 0},
        )
        self.start()

    def start(self) -> None:
        program = Path(sysconfig.get_path("scripts")) / "weed"
        (self._folder / "data").mkdir(exist_ok=True)
        command = [
            str(program),
            "server",
            f"-dir={self._folder}/data",
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            "-filer",
            f"-filer.localSocket={self._folder}/filer.sock",
            "-s3",
            f"-s3.localSocket={self._folder}/s3.sock",
            f"-s3.config={self._folder}/identities.json",
            "-s3.port.lance=0",
            "-s3.autoCreateBucket",
            "-master.telemetry=false",
            "-master.volumeSizeLimitMB=64",
            "-volume.max=100",  # one bucket takes seven volumes, and there would be eight
            *self._options,
        ]
        # What it names in the temporary folder by fixed names is its own there.
        environment = {**os.environ, "TMPDIR": str(self._folder)}
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=self._folder)
        deadline = time.monotonic() + _START_SECONDS
        while not self._serves():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self._folder / "log").read_text()[-4000:])
            time.sleep(0.1)

    def make_lake_bucket(self) -> None:
        """Such a bucket is made by its own command only. Idempotent."""
        if self._has_lake_bucket:
            return
        command = f"s3tables.bucket -create -name {self.lake_bucket} -account 000000000000\n"
        program = [str(Path(sysconfig.get_path("scripts")) / "weed"), "shell", f"-master={self._master}"]
        done = subprocess.run(program, input=command, capture_output=True, text=True, timeout=60, check=False)
        if "ARN" not in done.stdout:
            raise RuntimeError(done.stdout + done.stderr)
        self._has_lake_bucket = True

    def stop(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_STOP_SECONDS)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def put(self, key: str, data: bytes, part_bytes: int = 0) -> None:
        """Write an object; `part_bytes`: in parts of such a size."""
        several: dict[str, Any] = {"use_multipart": True, "chunk_size": part_bytes} if part_bytes else {}
        obstore.put(self._bucket, key, data, **several)

    def delete(self, key: str) -> None:
        obstore.delete(self._bucket, key)

    def _serves(self) -> bool:
        """Whether all that a write needs is there."""
        try:
            self.put("ready", b"1")
            self.delete("ready")
        except obstore.exceptions.BaseError:
            return False
        return True


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
