"""Builds the wheel with the built console, the documentation and the bill of materials inside, into `dist/`."""

import shutil
import subprocess
import sys

import sbom
from set_up_python import ROOT, find_uv

BUILT = ROOT / "console" / "dist"
INSIDE = ROOT / "src" / "zcbus" / "control" / "static"
DOCUMENTS = ROOT / "src" / "zcbus" / "control" / "documents"
"""The documentation inside the wheel: Markdown, and the list of pages."""
BILL = ROOT / "src" / "zcbus" / "sbom.cdx.json"
"""The bill of materials inside the wheel."""


def main() -> None:
    shutil.rmtree(INSIDE, ignore_errors=True)
    shutil.copytree(BUILT, INSIDE)
    shutil.rmtree(DOCUMENTS, ignore_errors=True)
    shutil.copytree(ROOT / "docs", DOCUMENTS / "docs", ignore=shutil.ignore_patterns("images"))
    shutil.copy2(ROOT / "mkdocs.yml", DOCUMENTS)
    BILL.write_text(sbom.text(), "utf-8")
    try:
        command = [find_uv(), "build", "--wheel", "--python", sys.executable, "--out-dir", str(ROOT / "dist")]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
    finally:
        # Left behind, it would be served instead of what is built later.
        shutil.rmtree(INSIDE)
        shutil.rmtree(DOCUMENTS)
        BILL.unlink()
    sys.exit(code)


if __name__ == "__main__":
    main()
