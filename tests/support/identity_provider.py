"""A small identity provider that is real in everything the platform checks: OpenID Connect (discovery, PKCE, signed
tokens, codes good once) and CAS (tickets good once, for one service). Anybody may sign in under any name.

    python -m tests.support.identity_provider      prints its address and runs until its standard input ends
"""

import json
import secrets
import sys
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.sax.saxutils import escape

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT_ID = "zcbus"
CLIENT_SECRET = "client-secret"

_FORM = """<!doctype html><html lang="en"><title>Test identity provider</title><h1>Test identity provider</h1>
<form method="get" action="{action}">{hidden}<label>Name <input name="name"></label><button>Continue</button></form>"""
_TICKET = """<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas"><cas:authenticationSuccess>
<cas:user>{name}</cas:user></cas:authenticationSuccess></cas:serviceResponse>"""
_NO_TICKET = """<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">
<cas:authenticationFailure code="INVALID_TICKET">no</cas:authenticationFailure></cas:serviceResponse>"""


class IdentityProvider:
    """State and answers; `claims` and `sign` may be replaced by a test to play a provider that is wrong."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.key = RSAKey.generate_key(2048, parameters={"kid": "one", "use": "sig", "alg": "RS256"})
        self.questions: dict[str, dict[str, str]] = {}
        self.tickets: dict[str, tuple[str, str]] = {}
        self.issuer = address
        self.claims: Callable[[dict[str, Any]], dict[str, Any]] = lambda claims: claims
        self.sign: Callable[[dict[str, Any]], str] = self.signed
        self.clock: Callable[[], float] = time.time

    def document(self) -> dict[str, Any]:
        endpoints = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "jwks"}
        return {
            "issuer": self.issuer,
            **{name: f"{self.address}/{path}" for name, path in endpoints.items()},
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def authorise(self, question: dict[str, str], name: str) -> str:
        """Where the browser goes after `name` signed in."""
        code = secrets.token_urlsafe(16)
        self.questions[code] = {**question, "name": name}
        return f"{question['redirect_uri']}?{urlencode({'code': code, 'state': question['state']})}"

    def exchange(self, form: dict[str, str], authorisation: str) -> dict[str, Any] | None:
        """The tokens, when everything about the code is right; the code is used up."""
        question = self.questions.pop(form.get("code", ""), None)
        expected = f"{CLIENT_ID}:{CLIENT_SECRET}"
        given = b64decode(authorisation.removeprefix("Basic ")).decode()
        challenge = urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if (
            question is None
            or given != expected
            or challenge != question["code_challenge"]
            or form.get("redirect_uri") != question["redirect_uri"]
        ):
            return None
        return {"token_type": "Bearer", "access_token": "unused", "id_token": self.sign(self._claims(question))}

    def ticket_for(self, service: str, name: str) -> str:
        """A service ticket."""
        ticket = f"ST-{secrets.token_urlsafe(16)}"
        self.tickets[ticket] = (service, name)
        return ticket

    def validate(self, ticket: str, service: str) -> str:
        made_for, name = self.tickets.pop(ticket, ("", ""))
        return _TICKET.format(name=escape(name)) if name and made_for == service else _NO_TICKET

    def signed(self, claims: dict[str, Any]) -> str:
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key)

    def _claims(self, question: dict[str, str]) -> dict[str, Any]:
        now = int(self.clock())
        return self.claims(
            {
                "iss": self.issuer,
                "sub": f"id-of-{question['name']}",
                "aud": CLIENT_ID,
                "iat": now,
                "exp": now + 300,
                "nonce": question["nonce"],
                "preferred_username": question["name"],
            }
        )


@contextmanager
def identity_provider() -> Iterator[IdentityProvider]:
    """A running provider on a free port of this host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    provider = IdentityProvider(f"http://127.0.0.1:{server.server_port}")
    server.provider = provider  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    @property
    def provider(self) -> IdentityProvider:
        provider: IdentityProvider = self.server.provider  # type: ignore[attr-defined]
        return provider

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/.well-known/openid-configuration":
            self._answer(json.dumps(self.provider.document()), "application/json")
        elif address.path == "/jwks":
            self._answer(json.dumps({"keys": [self.provider.key.as_dict(private=False)]}), "application/json")
        elif address.path == "/authorize":
            self._sign_in(address.path, query, self.provider.authorise)
        elif address.path == "/cas/login":
            self._sign_in(address.path, query, self._to_service)
        elif address.path == "/cas/p3/serviceValidate":
            self._answer(self.provider.validate(query["ticket"], query["service"]), "application/xml")
        else:
            self._answer("", "text/plain", 404)

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(text).items()}
        tokens = self.provider.exchange(form, self.headers.get("Authorization", ""))
        self._answer(json.dumps(tokens or {"error": "invalid_grant"}), "application/json", 200 if tokens else 400)

    def _sign_in(self, action: str, query: dict[str, str], go_on: Callable[[dict[str, str], str], str]) -> None:
        name = query.pop("name", None)
        if name is None:
            fields = (f'<input type="hidden" name="{key}" value="{escape(value)}">' for key, value in query.items())
            self._answer(_FORM.format(action=action, hidden="".join(fields)), "text/html; charset=utf-8")
            return
        self.send_response(302)
        self.send_header("Location", go_on(query, name))
        self.end_headers()

    def _to_service(self, query: dict[str, str], name: str) -> str:
        return f"{query['service']}?{urlencode({'ticket': self.provider.ticket_for(query['service'], name)})}"

    def _answer(self, content: str, kind: str, status: int = 200) -> None:
        body = content.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


if __name__ == "__main__":
    with identity_provider() as running:
        print(running.address, flush=True)
        sys.stdin.read()
