"""A private identity provider of SAML 2.0: pysaml2, which shares no code with the platform's side of the protocol.

It answers requests only from the party whose metadata it was given, and only signed ones. Anybody may sign in under any
name.

    python -m tests.servers.saml_idp      prints its address and runs until its standard input ends
"""

import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.support.certificate import self_signed
from tests.support.processes import die_with_parent

_FORM = """<!doctype html><html lang="en"><title>Test identity provider</title><h1>Test identity provider</h1>
<form method="get" action="/sso">{hidden}<label>Name <input name="name"></label><button>Continue</button></form>"""
_POST = """<!doctype html><html lang="en"><title>Test identity provider</title><form method="post" action="{action}">
<input type="hidden" name="SAMLResponse" value="{response}"></form><script>document.forms[0].submit()</script>"""


class SamlProviderServer:
    """Started by the constructor as a process of its own."""

    def __init__(self) -> None:
        if shutil.which("xmlsec1") is None:
            pytest.skip("xmlsec1 is missing: Debian package xmlsec1")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.servers.saml_idp"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=die_with_parent,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        self._client = httpx.Client(base_url=self.address, timeout=60)
        self.metadata = self._client.get("/metadata").text

    def trust(self, metadata: str) -> None:
        """Answer requests of the party that these metadata describe."""
        self._client.post("/trust", content=metadata).raise_for_status()

    def answer(self, url: str, name: str, sign: str = "assertion") -> dict[str, str]:
        """What it answers to a request after `name` signed in: `action`, where the browser posts it, and the form's
        field. `sign`: assertion, response or both. A request that it refuses is an httpx.HTTPStatusError."""
        answer = self._client.get(url, params={**_query(url), "name": name, "sign": sign, "as": "json"})
        answered: dict[str, str] = answer.raise_for_status().json()
        return answered

    def remove(self) -> None:
        """End it."""
        self._client.close()
        self._process.communicate()


class _Provider:
    def __init__(self, address: str, folder: Path) -> None:
        self._address, self._folder = address, folder
        certificate, key = self_signed()
        (folder / "idp.crt").write_bytes(certificate)
        (folder / "idp.key").write_bytes(key)
        self._server = self._with([])

    def _with(self, parties: list[str]) -> Any:
        from saml2 import BINDING_HTTP_REDIRECT
        from saml2.config import IdPConfig
        from saml2.server import Server

        page = [(f"{self._address}/sso", BINDING_HTTP_REDIRECT)]
        role = {"endpoints": {"single_sign_on_service": page}, "want_authn_requests_signed": True}
        configuration = {
            "entityid": f"{self._address}/metadata",
            "xmlsec_binary": shutil.which("xmlsec1"),
            "key_file": str(self._folder / "idp.key"),
            "cert_file": str(self._folder / "idp.crt"),
            "service": {"idp": role},
            "metadata": {"inline": parties},
        }
        return Server(config=IdPConfig().load(configuration))

    def trust(self, metadata: str) -> None:
        self._server = self._with([metadata])

    def metadata(self) -> str:
        from saml2.metadata import entity_descriptor

        return str(entity_descriptor(self._server.config))

    def response(self, query: dict[str, str]) -> dict[str, str]:
        """Raises what pysaml2 raises for a request that it refuses."""
        from saml2 import BINDING_HTTP_REDIRECT
        from saml2.authn_context import PASSWORD
        from saml2.saml import NAMEID_FORMAT_UNSPECIFIED, NameID
        from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

        signature = {"sigalg": query["SigAlg"], "signature": query["Signature"]}
        request = self._server.parse_authn_request(query["SAMLRequest"], BINDING_HTTP_REDIRECT, **signature)
        where, sign = self._server.response_args(request.message), query.get("sign", "assertion")
        response = self._server.create_authn_response(
            {"uid": [query["name"]], "mail": [f"{query['name']}@example.com"]},
            in_response_to=where["in_response_to"],
            destination=where["destination"],
            sp_entity_id=where["sp_entity_id"],
            name_id=NameID(format=NAMEID_FORMAT_UNSPECIFIED, text=query["name"]),
            authn={"class_ref": PASSWORD},
            sign_assertion=sign in ("assertion", "both"),
            sign_response=sign in ("response", "both"),
            sign_alg=SIG_RSA_SHA256,
            digest_alg=DIGEST_SHA256,
        )
        return {"action": where["destination"], "SAMLResponse": str(response)}


class _Handler(BaseHTTPRequestHandler):
    provider: _Provider

    def do_GET(self) -> None:
        query = _query(self.path)
        if self.path == "/metadata":
            self._answer(self.provider.metadata(), "application/samlmetadata+xml")
        elif "name" not in query:
            fields = (f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in query.items())
            self._answer(_FORM.format(hidden="".join(fields)), "text/html; charset=utf-8")
        else:
            self._sign_in(query)

    def do_POST(self) -> None:
        self.provider.trust(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self._answer("", "text/plain")

    def _sign_in(self, query: dict[str, str]) -> None:
        from base64 import b64encode

        try:
            found = self.provider.response(query)
        except Exception as error:  # noqa: BLE001  the reason is the answer, whatever it is
            self._answer(repr(error), "text/plain", 400)
            return
        found["SAMLResponse"] = b64encode(found["SAMLResponse"].encode()).decode()
        if query.get("as") == "json":
            self._answer(json.dumps(found), "application/json")
        else:
            page = _POST.format(action=escape(found["action"]), response=found["SAMLResponse"])
            self._answer(page, "text/html; charset=utf-8")

    def _answer(self, content: str, kind: str, status: int = 200) -> None:
        body = content.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


def _query(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


if __name__ == "__main__":
    if shutil.which("xmlsec1") is None:
        sys.exit(0)
    warnings.simplefilter("ignore")
    listening = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    from threading import Thread

    with tempfile.TemporaryDirectory(prefix="zcbus-saml-") as own:
        address = f"http://127.0.0.1:{listening.server_port}"
        _Handler.provider = _Provider(address, Path(own))
        Thread(target=listening.serve_forever, daemon=True).start()
        print(address, flush=True)
        sys.stdin.read()
