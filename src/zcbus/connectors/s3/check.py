"""The connection test, check by check."""

from dataclasses import replace

from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.files.check import FilesTester
from zcbus.connectors.reachability import reachable_url
from zcbus.connectors.roles import CheckResult, Side
from zcbus.connectors.s3.access import access_of
from zcbus.connectors.s3.spec import S3Options
from zcbus.connectors.stores.s3 import S3Access, S3Client, S3Refusal, S3Store

_SECONDS = 10.0
_UNKNOWN_ACCOUNT = frozenset({"InvalidAccessKeyId", "SignatureDoesNotMatch", "RequestTimeTooSkewed"})
_NO_BUCKET = "NoSuchBucket"


class S3Tester:
    """See Tester."""

    def test(self, options: S3Options, side: Side) -> list[CheckResult]:
        access = access_of(options)
        found = [reachable_url(access.url, access.way, _SECONDS)]
        if found[-1].ok:
            found += _requested(access, options)
        if all(check.ok for check in found):
            files = FilesTester(lambda _: S3Store(access, options.folder, _SECONDS), "permissions")
            found += files.test(options, side)
        return found


def _requested(access: S3Access, options: S3Options) -> list[CheckResult]:
    """Checks of account and bucket by one request."""
    client = S3Client(access, _SECONDS)
    statement = f"GET {access.url}/{'' if access.bucket_in_host else access.bucket}?list-type=2"
    login = CheckResult("login", statement, True, True, access.key)
    try:
        client.page(options.folder, "", 1)
    except SourceUnavailable as error:
        return [CheckResult("reachable", statement, False, True, str(error.facts["detail"]), "", "address")]
    except S3Refusal as refused:
        return _refused(refused, access, login)
    finally:
        client.close()
    return [login, _bucket(access)]


def _refused(refused: S3Refusal, access: S3Access, login: CheckResult) -> list[CheckResult]:
    detail = str(refused)
    if refused.code in _UNKNOWN_ACCOUNT:
        return [replace(login, ok=False, detail=detail, advice="account")]
    if refused.is_of_region:
        return [login, replace(_bucket(access), ok=False, detail=detail, remedy=f"region = {refused.region or '…'}")]
    if refused.code == _NO_BUCKET:
        return [login, replace(_bucket(access), ok=False, detail=detail, advice="database")]
    return [login, CheckResult("permissions", f"list {access.bucket}", False, True, detail, "", "files")]


def _bucket(access: S3Access) -> CheckResult:
    return CheckResult("bucket", access.bucket, True, True, access.bucket)
