"""Tenants, departments, users, their settings and second factors, roles, what roles may do, sessions, API tokens,
service accounts, captchas, failed sign-ins."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table

from zcbus.control.store.columns import ID_LENGTH, JsonDocument, UtcTimestamp, id_column, metadata
from zcbus.control.store.sealed import Sealed

tenant = Table(
    "tenant",
    metadata,
    id_column(),
    Column("name", String(100), nullable=False, unique=True),
    Column("display_name", String(200), nullable=False),
    # '0' normal, '1' disabled: users of a disabled tenant cannot sign in.
    Column("status", String(1), nullable=False, server_default="0"),
    Column("contact", String(50)),
    Column("phone", String(20)),
    Column("description", String(200)),
    # Who must sign in with two steps: 'optional' no user, 'administrators', 'everybody'.
    Column("second_factor", String(15), nullable=False, server_default="optional"),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp),
)

department = Table(
    "department",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    # NULL: a topmost department of the tenant.
    Column("parent_id", String(ID_LENGTH), ForeignKey("department.id")),
    Column("name", String(50), nullable=False),
    # Order among the departments of one parent.
    Column("position", Integer, nullable=False),
    Column("description", String(200)),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id"),
)

user = Table(
    "user_account",
    metadata,
    id_column(),
    Column("tenant_id", String(ID_LENGTH), ForeignKey("tenant.id"), nullable=False),
    Column("user_name", String(50), nullable=False, unique=True),
    Column("nick_name", String(10), nullable=False),
    Column("password_hash", String(200), nullable=False),
    # '0' normal, '1' disabled, '2' cancelled, as the specification names them.
    Column("status", String(1), nullable=False),
    # '-1' marks a built-in account.
    Column("user_type", String(4), nullable=False),
    Column("must_change_password", Boolean, nullable=False),
    Column("phone", String(13)),
    Column("email", String(100)),
    Column("description", String(200)),
    # '0' ID card, '1' HR number.
    Column("document_type", String(1)),
    Column("id_number", String(18)),
    # A department of the same tenant. Without a foreign key: SQLite cannot add one to a table that is there.
    Column("dept_id", String(ID_LENGTH)),
    # A user at a customer's site, who sees only the own index page and data.
    Column("client_remote", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
    Index(None, "tenant_id"),
)

# What a user arranged in the console, e.g. a table's columns.
user_setting = Table(
    "user_setting",
    metadata,
    Column("user_id", String(ID_LENGTH), ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True),
    Column("name", String(100), primary_key=True),
    Column("value", JsonDocument, nullable=False),
    Column("updated_at", UtcTimestamp, nullable=False),
)

role = Table(
    "role",
    metadata,
    id_column(),
    Column("code", String(50), nullable=False, unique=True),
    Column("name_zh", String(50), nullable=False),
    Column("name_en", String(50), nullable=False),
    # A role that spans tenants sees and changes the data of every tenant.
    Column("spans_tenants", Boolean, nullable=False),
    # The tenant that made the role and alone may use it; NULL: available to all tenants. Without a foreign key, as
    # above.
    Column("tenant_id", String(ID_LENGTH)),
    Column("description", String(200)),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("updated_at", UtcTimestamp),
)

user_role = Table(
    "user_role",
    metadata,
    Column("user_id", String(ID_LENGTH), ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True),
    Column("role_id", String(ID_LENGTH), ForeignKey("role.id", ondelete="CASCADE"), primary_key=True),
)

role_permission = Table(
    "role_permission",
    metadata,
    Column("role_id", String(ID_LENGTH), ForeignKey("role.id", ondelete="CASCADE"), primary_key=True),
    # A menu key of `control.platform.menus`, or * for all of them.
    Column("menu_key", String(100), primary_key=True),
    # An operation of `control.platform.menus`, or * for all of them.
    Column("operation", String(20), primary_key=True),
)

session = Table(
    "user_session",
    metadata,
    id_column(),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("user_id", String(ID_LENGTH), ForeignKey("user_account.id", ondelete="CASCADE"), nullable=False),
    # 'session', 'api' (an automated client's token) or 'reset' (good for one change of password only).
    Column("kind", String(10), nullable=False),
    Column("name", String(100)),
    # Where the session began; of an API token, where it was used last, NULL before the first use.
    Column("address", String(64)),
    # What the browser or program calls itself.
    Column("agent", String(300)),
    Column("created_at", UtcTimestamp, nullable=False),
    # The last call that a person made, to the minute; polling by pages does not count. Of an API token every call does.
    Column("used_at", UtcTimestamp, nullable=False),
    # NULL only for API tokens made before every token had an end.
    Column("expires_at", UtcTimestamp),
    Column("revoked_at", UtcTimestamp),
    # The service account of an API token. Without a foreign key, as above.
    Column("service_account_id", String(ID_LENGTH)),
    Index(None, "user_id"),
    Index(None, "expires_at"),
    Index(None, "service_account_id"),
)

# A program that calls the API in its owner's name, by API tokens.
service_account = Table(
    "service_account",
    metadata,
    id_column(),
    # The owner, whose tenant is the account's.
    Column("user_id", String(ID_LENGTH), ForeignKey("user_account.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(100), nullable=False),
    Column("description", String(200)),
    # Pairs of menu key and operation, as of roles; NULL: no limit within the owner's rights.
    Column("scope", JsonDocument),
    # Whether the owner's right to see every tenant is the account's too.
    Column("spans_tenants", Boolean, nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    Column("revoked_at", UtcTimestamp),
    Index(None, "user_id"),
)

# Two-step verification of users who turned it on, with an authenticator, security keys, or both.
second_factor = Table(
    "second_factor",
    metadata,
    Column("user_id", String(ID_LENGTH), ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True),
    # Of the authenticator; empty: there is none, but a security key.
    Column("sealed_secret", Sealed("second-factor:{key}", 200), nullable=False),
    # The time step of the last code taken: a code of this step or an earlier one does not count.
    Column("last_step", BigInteger, nullable=False),
    Column("turned_on_at", UtcTimestamp, nullable=False),
)

# Unused recovery codes, each good instead of one code of the second factor.
recovery_code = Table(
    "recovery_code",
    metadata,
    Column("user_id", String(ID_LENGTH), ForeignKey("second_factor.user_id", ondelete="CASCADE"), primary_key=True),
    Column("code_hash", String(64), primary_key=True),
)

# Security keys and passkeys (WebAuthn) of users.
security_key = Table(
    "security_key",
    metadata,
    id_column(),
    Column("user_id", String(ID_LENGTH), ForeignKey("second_factor.user_id", ondelete="CASCADE"), nullable=False),
    # What the user calls it.
    Column("name", String(50), nullable=False),
    # The host's name of the platform under which it was registered: it signs for no other.
    Column("rp_id", String(255), nullable=False),
    # What the key calls itself, in base64url, and SHA-256 of that.
    Column("credential_id", String(1400), nullable=False),
    Column("credential_hash", String(64), nullable=False, unique=True),
    # COSE in base64url.
    Column("public_key", String(2000), nullable=False),
    # How often it signed, by its own count; 0: it does not count.
    Column("sign_count", BigInteger, nullable=False),
    # How browsers reach it.
    Column("transports", JsonDocument, nullable=False),
    Column("created_at", UtcTimestamp, nullable=False),
    # NULL: not used yet.
    Column("used_at", UtcTimestamp),
    Index(None, "user_id"),
)

# What security keys are to sign, for one purpose of a session or a sign-in.
key_challenge = Table(
    "key_challenge",
    metadata,
    # SHA-256 over the session or sign-in and the purpose.
    Column("asker_hash", String(64), primary_key=True),
    Column("challenge", String(64), nullable=False),
    Column("expires_at", UtcTimestamp, nullable=False),
    Index(None, "expires_at"),
)

# Sign-ins with a correct password whose second factor is pending.
pending_sign_in = Table(
    "pending_sign_in",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("user_id", String(ID_LENGTH), ForeignKey("user_account.id", ondelete="CASCADE"), nullable=False),
    # Whether it ends with a change of the password.
    Column("demands_password", Boolean, nullable=False, server_default="0"),
    Column("attempts_left", Integer, nullable=False),
    Column("expires_at", UtcTimestamp, nullable=False),
    Index(None, "user_id"),
    Index(None, "expires_at"),
)

captcha = Table(
    "captcha",
    metadata,
    id_column(),
    Column("answer_hash", String(64), nullable=False),
    Column("expires_at", UtcTimestamp, nullable=False),
    Index(None, "expires_at"),
)

opened_body = Table(
    "opened_body",
    metadata,
    # SHA-256 over the key that the body was encrypted with.
    Column("hash", String(64), primary_key=True),
    Column("opened_at", UtcTimestamp, nullable=False),
    Index(None, "opened_at"),
)

# Devices that an account was signed in from.
known_device = Table(
    "known_device",
    metadata,
    Column("user_id", String(ID_LENGTH), ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True),
    # SHA-256 of the secret that the browser keeps.
    Column("device_hash", String(64), primary_key=True),
    Column("seen_at", UtcTimestamp, nullable=False),
    Index(None, "device_hash"),
    Index(None, "seen_at"),
)

login_failure = Table(
    "login_failure",
    metadata,
    id_column(),
    # SHA-256 of the name that was given.
    Column("account", String(64), nullable=False),
    # An address or network, or SHA-256 over a device or session that the account knows.
    Column("place", String(64), nullable=False),
    Column("is_known", Boolean, nullable=False),
    Column("failed_at", UtcTimestamp, nullable=False),
    Index(None, "account", "place", "failed_at"),
    Index(None, "place", "failed_at"),
    Index(None, "failed_at"),
)
