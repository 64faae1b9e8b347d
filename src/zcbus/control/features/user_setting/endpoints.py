"""Calls about the caller's own settings."""

from zcbus.control.features.user_setting import repository
from zcbus.control.features.user_setting.errors import TooManySettingsError
from zcbus.control.features.user_setting.schemas import SettingChange, SettingRecord, SettingsRequest
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.routing import Api

api = Api("user-setting")

MOST = 300


@api.read("/api/zcbus/sys/user-setting/list", signed_in())
def list_own(call: Call, body: SettingsRequest) -> list[SettingRecord]:
    """The caller's settings."""
    rows = repository.select_settings(call.connection, call.principal.user_id, body.prefix)
    return [SettingRecord.of_row(row) for row in rows]


# Settings of lists are not recorded in the operation log.
@api.change("/api/zcbus/sys/user-setting/save", signed_in(), audited=False)
def save(call: Call, body: SettingChange) -> None:
    """Store a setting of the caller, replacing the one of the same name."""
    connection, user_id = call.connection, call.principal.user_id
    if not repository.is_user(connection, user_id):
        # Programs on the same host have no account.
        raise RecordNotFoundError(kind="user", id=user_id)
    repository.delete_setting(connection, user_id, body.name)
    if not body.value:
        return
    if repository.count_settings(connection, user_id) >= MOST:
        raise TooManySettingsError(limit=MOST)
    repository.insert_setting(connection, user_id, body.name, body.value, call.services.clock.now())
