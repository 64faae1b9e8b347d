"""Mail by SMTP. A password travels only over TLS, and STARTTLS is never left out where it was asked for."""

import smtplib
import socket
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime

from zcbus.control.features.notification.errors import (
    NoticeLoginRefusedError,
    NoticeRefusedError,
    ReceiverBusyError,
    ReceiverUnreachableError,
    RecipientsRefusedError,
)
from zcbus.control.features.notification.transport import STEP_SECONDS, Reach, TimeLimit
from zcbus.control.features.notification.ways.base import Notice, Receiver, shown

_FINAL = range(500, 600)


def send(notice: Notice, receiver: Receiver, reach: Reach, now: datetime) -> None:
    settings = receiver.settings
    address = f"{settings['host']}:{settings['port']}"
    # Before the time limit begins: there is nothing to cut off until then.
    connected = reach.connect(settings["host"], settings["port"])
    session = _Session(connected, reach, is_wrapped=settings["security"] == "tls")
    try:
        with TimeLimit(lambda: session.sock):
            session.connect(settings["host"], settings["port"])
            if settings["security"] == "starttls":
                session.starttls(context=reach.tls())
            if settings["user"]:
                _sign_in(session, address, settings["user"], receiver.secrets["password"])
            message = _message(notice, settings["sender"], settings["recipients"], now)
            refused = session.send_message(message, settings["sender"], settings["recipients"])
            # It is taken, whatever becomes of the farewell.
            with suppress(smtplib.SMTPException, OSError):
                session.quit()
        if refused:
            raise RecipientsRefusedError(address=address, recipients=", ".join(refused))
    except smtplib.SMTPRecipientsRefused as error:
        raise _answered(address, *next(iter(error.recipients.values()))) from error
    except smtplib.SMTPResponseException as error:
        raise _answered(address, error.smtp_code, error.smtp_error) from error
    except smtplib.SMTPNotSupportedError as error:
        raise NoticeRefusedError(address=address, answer=str(error)) from error
    except (smtplib.SMTPException, OSError) as error:
        raise ReceiverUnreachableError(address=address, detail=str(error) or type(error).__name__) from error
    finally:
        session.close()


class _Session(smtplib.SMTP):
    """A session over a connection that stands, by TLS from the start where it is asked for."""

    def __init__(self, connected: socket.socket, reach: Reach, *, is_wrapped: bool) -> None:
        super().__init__(local_hostname=socket.gethostname() or "localhost", timeout=STEP_SECONDS)
        self.sock: socket.socket | None = connected
        self._connected = connected
        self._reach = reach
        self._is_wrapped = is_wrapped

    def connect(self, host: str = "localhost", port: int = 0, source_address: object = None) -> tuple[int, bytes]:
        # The name that its certificate is checked for.
        self._host = host
        return super().connect(host, port)

    def _get_socket(self, host: str, _port: int, _timeout: object) -> socket.socket:
        if not self._is_wrapped:
            return self._connected
        wrapped = self._reach.tls().wrap_socket(self._connected, server_hostname=host, do_handshake_on_connect=False)
        self.sock = wrapped
        wrapped.do_handshake()
        return wrapped


def _sign_in(session: smtplib.SMTP, address: str, user: str, password: str) -> None:
    try:
        session.login(user, password)
    except smtplib.SMTPAuthenticationError as error:
        if error.smtp_code in _FINAL:
            raise NoticeLoginRefusedError(address=address, user=user) from error
        raise


def _message(notice: Notice, sender: str, recipients: Sequence[str], now: datetime) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = notice.title
    message["From"] = sender
    message["To"] = ", ".join(recipients)
    message["Date"] = format_datetime(now)
    # The same in each attempt: a mail server that took one whose answer was lost can leave the second out.
    message["Message-ID"] = f"<{notice.id}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(notice.content)
    return message


def _answered(address: str, code: int, said: bytes | str) -> Exception:
    text = f"{code} {shown(said if isinstance(said, bytes) else said.encode())}"
    if code in _FINAL:
        return NoticeRefusedError(address=address, answer=text)
    return ReceiverBusyError(address=address, answer=text)
