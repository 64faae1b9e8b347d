"""What users do with their security keys."""

from zcbus.control.features.account.own_password import check_sign_in_password
from zcbus.control.features.second_factor.checking import has_authenticator, is_on
from zcbus.control.features.second_factor.keys import checking, registering, repository
from zcbus.control.features.second_factor.keys.challenges import asker_of
from zcbus.control.features.second_factor.proving import own_account, proved
from zcbus.control.features.second_factor.schemas import (
    KeyCeremony,
    KeyRemoval,
    KeyRename,
    NewKey,
    Proof,
    RecoveryCodes,
)
from zcbus.control.features.second_factor.service import turn_off_proved
from zcbus.control.platform.call import Call
from zcbus.control.platform.sessions import revoke_sessions_of


def ask(call: Call) -> KeyCeremony:
    """Have one of the caller's keys prove that it is the caller. Raises as `checking.ask`."""
    with call.services.database.read() as connection:
        user = own_account(call, connection)
    return checking.ask(call.services, user.id, asker_of(call, "prove"))


def begin(call: Call, body: Proof) -> KeyCeremony:
    """Begin the registration of a key, for a caller who gave the password, and a second factor where there is one:
    what is answered then needs no other proof. Raises as `proved` and `registering.offer`."""
    call.audit.after = None
    with call.services.database.read() as connection:
        user = own_account(call, connection)
        has_one = is_on(connection, user.id)
    if has_one:
        with proved(call, body):
            pass
    else:
        check_sign_in_password(call.services, call.principal, user, body.current_password)
    return registering.offer(call.services, user, asker_of(call, "register"))


def finish(call: Call, body: NewKey) -> RecoveryCodes:
    """Keep the key. The first factor turns two-step verification on, and ends the caller's other sessions, which were
    opened without it. Raises as `registering.verified` and `registering.keep`."""
    services = call.services
    call.audit.subject, call.audit.after = body.name, None
    with services.database.read() as connection:
        user = own_account(call, connection)
    key, now = registering.verified(services, asker_of(call, "register"), body), services.clock.now()
    with services.database.write_alone() as connection:
        made = registering.keep(connection, user.id, key, now)
        if made:
            revoke_sessions_of(connection, user.id, now, kept=call.principal.session_id)
    return RecoveryCodes(codes=made)


def rename(call: Call, body: KeyRename) -> None:
    """Raises KeyGoneError."""
    key = registering.found(call.connection, own_account(call, call.connection).id, body.id)
    name = body.name.strip()
    call.audit.subject, call.audit.before, call.audit.after = name, {"name": key.name}, {"name": name}
    repository.rename(call.connection, key.id, name)


def remove(call: Call, body: KeyRemoval) -> None:
    """Remove a key; the last factor turns two-step verification off. Raises KeyGoneError, SecondFactorRequiredError,
    and as `proved`."""
    user_id = call.principal.user_id
    with proved(call, body) as connection:
        key = registering.found(connection, user_id, body.id)
        call.audit.subject, call.audit.before = key.name, {"name": key.name}
        if repository.count(connection, user_id) > 1 or has_authenticator(connection, user_id):
            repository.remove(connection, key.id)
        else:
            turn_off_proved(call, connection)
