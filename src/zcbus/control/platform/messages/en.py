"""English."""

MESSAGES = {
    "ok": "Done",
    "error": "The operation failed ({code})",
    "bad-request": "The request is not valid",
    "not-authenticated": "Please log in first",
    "session-expired": "Login expired, please log in again",
    "session-revoked": "This login is no longer valid, please log in again",
    "token-expired": "The API token of the service account {name} expired at {at}; its owner makes a new one by Rotate "
    "on the page Service accounts",
    "token-revoked": "The API token of the service account {name} was revoked, or its owner is disabled",
    "forbidden": "No access",
    "host-removed": "The host {host} was removed from its container; join it again with a new join command",
    "host-unknown": "This platform is not reached under the name {host}; the settings ZCBUS_PUBLIC_ADDRESS and "
    "ZCBUS_OTHER_HOSTS name its hosts",
    "certificate-needed": "The agent's token counts only together with the certificate of its host",
    "path-not-found": "No call at this address",
    "console-missing": "The console is not built: run npm run build in the console folder",
    "method-not-allowed": "This request method is not supported here",
    "record-not-found": "The record does not exist or was deleted",
    "request-too-large": "The request is too large; the limit is {limit} bytes",
    "request-malformed": "The request has wrong or missing fields: {fields}",
    "encryption-required": "Use HTTPS, or encrypt the request",
    "body-unreadable": "The encrypted request cannot be read",
    "body-replayed": "This encrypted request was sent before, please try again",
    "body-key-unknown": "The encryption key has changed, please try again",
    "text-broken": "Text must not contain halves of characters",
    "nul-character": "Text must not contain NUL characters",
    "value-refused": "A value is too long or out of range",
    "too-many-requests": "Too many attempts, try again in {seconds} seconds",
    "server-error": "Server request exception",
    "store-busy": "The system is busy, please try again",
    "secret-unreadable": "A stored secret cannot be decrypted; check the key file in the data folder",
    "key-file-foreign": "{path} is not the key file this metadata store was made with; put that one there",
    "data-folder-unsafe": (
        "Other accounts may write into the data folder {path} (mode {mode}, owner {owner}). "
        "Give it to the account that ZCBUS runs as: chown, then chmod o-w"
    ),
    "store-version-unknown": (
        "The metadata store has version {version}; this program knows versions up to {needed}. "
        "Use the program that wrote it or a newer one, or name another database in ZCBUS_DATABASE_URL"
    ),
    "store-outdated": (
        "The metadata store has version {version}, this program needs {needed}. Start the platform of this version, or "
        "run zcbus migrate, and try again. If it is empty (-), ZCBUS_DATA_DIR or ZCBUS_DATABASE_URL may name another"
    ),
    "store-unreachable": "The metadata store cannot be used: {detail}",
    "agent-refused": "The control plane {url} does not take this agent's token",
    "control-away": "The control plane {url} does not answer: {detail}",
    "embedded-server-failed": "The embedded PostgreSQL did not start ({step}): {detail}",
    "cannot-drop-privileges": "No way was found to start a program as an ordinary user; tried: {tried}",
    "setting-invalid": "{name} is {value}; expected {expected}",
    "field.missing": "Cannot be empty",
    "field.text": "Must be text",
    "field.too-short": "At least {min_length} characters",
    "field.too-long": "At most {max_length} characters",
    "field.pattern": "Not in the right form",
    "field.whole-number": "Must be a whole number",
    "field.number": "Must be a number",
    "field.truth": "Must be true or false",
    "field.moment": "Must be a date with a time",
    "field.zone": "A time needs its zone",
    "field.list": "Must be a list",
    "field.too-few": "At least {min_length} entries",
    "field.too-many": "At most {max_length} entries",
    "field.too-many-bytes": "At most {limit} bytes",
    "field.too-small": "Cannot be less than {ge}",
    "field.too-large": "Cannot be more than {le}",
    "field.choice": "Must be one of {expected}",
    "field.object": "Not of the right structure",
    "field.unknown": "Unknown field",
    "field.not-json": "Not valid JSON",
    "field.invalid": "Not valid",
    "field.plain-name": "No blanks around it, and nothing that cannot be seen",
    "field.page-of-nothing": "A page of 0 records cannot be answered",
    "sort-unknown": "Sorting by {sort} is not possible",
    "no-agent": "No agent of container {container} answers; check that an agent (zcbus agent) runs "
    "and reaches the control plane",
    "backup-failed": "The backup could not be written: {detail}",
    "backup-failed.remedy": "Check disk space and permissions of the data folder on the control plane's host",
    "backup-unusable": "{path} is no usable backup of the metadata store: {detail}",
    "store-in-use": "There is a metadata store already: {store}. A backup is restored into an empty one only",
    "answer-lost": "The agent's answer was not taken in time: no control plane was running",
    "agent-silent": "The agent of container {container} reported neither a result nor progress for {seconds} seconds; "
    "check that the database can be reached, then try again",
}
