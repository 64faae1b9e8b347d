"""HTTP client of an identity provider. Answers are small, quick and untrusted."""

from typing import Any

import httpx

from zcbus.control.features.external_sign_in.errors import ProviderUnreachableError
from zcbus.kit.logging import get_logger

_log = get_logger("control.external-sign-in")

_SECONDS = 10
_LARGEST = 512 * 1024


def ask(method: str, url: str, **arguments: Any) -> httpx.Response:
    """The answer, whatever its status. Redirects are not followed. Raises ProviderUnreachableError."""
    try:
        answer = httpx.request(method, url, timeout=_SECONDS, follow_redirects=False, **arguments)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise unusable(url, repr(error)) from error
    if len(answer.content) > _LARGEST:
        raise unusable(url, "the answer is too large")
    return answer


def ask_for_json(method: str, url: str, **arguments: Any) -> dict[str, Any]:
    """The JSON object of an answer with status 200. Raises ProviderUnreachableError."""
    answer = ask(method, url, **arguments)
    try:
        content = answer.json() if answer.status_code == httpx.codes.OK else None
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise unusable(url, f"status {answer.status_code}")
    return content


def unusable(url: str, detail: str) -> ProviderUnreachableError:
    """The error to raise, written to the log with its reason."""
    _log.warning("identity provider unusable", url=url.partition("?")[0], detail=detail)
    return ProviderUnreachableError()
