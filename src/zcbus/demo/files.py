"""Files of the demo, below the platform's data folder."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from zcbus.kit.files import write_durably


@dataclass(frozen=True, slots=True)
class DemoFiles:
    """Paths of one demo."""

    folder: Path

    @classmethod
    def below(cls, data_dir: Path) -> "DemoFiles":
        folder = data_dir / "demo"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return cls(folder)

    @property
    def postgres(self) -> Path:
        """The server's folder."""
        return self.folder / "postgresql"

    @property
    def linked(self) -> Path:
        """Exists once the link was created: a link that a user deleted stays deleted."""
        return self.folder / "linked"

    @property
    def reset_request(self) -> Path:
        """Exists while a reset is requested."""
        return self.folder / "reset"

    def password(self) -> str:
        """The demo server's password, created at the first call."""
        path = self.folder / "password"
        if not path.exists():
            write_durably(path, secrets.token_urlsafe(18).encode(), mode=0o600)
        return path.read_text().strip()

    def port(self) -> int:
        """The port of the server's last start; 0: none."""
        path = self.folder / "port"
        return int(path.read_text()) if path.exists() else 0

    def keep_port(self, port: int) -> None:
        """Store the port: the link must find the server again after a restart."""
        write_durably(self.folder / "port", str(port).encode())
