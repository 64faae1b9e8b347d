"""TLS of servers that are asked by HTTP."""

import ssl


def context(tls: str) -> ssl.SSLContext:
    """`tls`: `verify-full` checks the certificate; else it is not checked."""
    made = ssl.create_default_context()
    # Certificates that servers make for themselves lack extensions that strict checking asks for.
    made.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if tls != "verify-full":
        made.check_hostname = False
        made.verify_mode = ssl.CERT_NONE
    return made


def is_untrusted(error: BaseException | None) -> bool:
    """Whether it came of a certificate that is not trusted: libraries pack errors into others."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error is not None
