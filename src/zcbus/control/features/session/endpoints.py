"""Calls of signing in and out."""

from zcbus.control.features.captcha.pictures import create_captcha
from zcbus.control.features.captcha.schemas import CaptchaPicture
from zcbus.control.features.second_factor.schemas import KeyCeremony, SetUp
from zcbus.control.features.session import open_sessions, second_step, service
from zcbus.control.features.session.schemas import (
    SESSIONS,
    AllSessions,
    CameFrom,
    KeyLogin,
    KeyRequest,
    LoginAnswer,
    LoginRequest,
    LogoutRequest,
    PublicKey,
    SecondFactorRequest,
    SessionChoice,
    SessionInformation,
    SessionPageRequest,
    SessionRecord,
    SetUpAnswer,
    SetUpCode,
    SetUpKey,
    SetUpRequest,
    SignInMethods,
)
from zcbus.control.platform.authorisation import public, signed_in
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.encrypted_body import current_key
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.routing import Api

api = Api("session")


@api.change(
    "/api/zcbus/sys/authentication/code",
    public("needed to sign in"),
    unit=Unit.OWN,
    audited=False,
)
def get_captcha(call: Call) -> CaptchaPicture:
    """A picture captcha, good once and for three minutes."""
    call.services.anonymous_quota.spend(call.where.address)
    return create_captcha(call.services)


@api.read("/api/zcbus/sys/authentication/key", public("needed to encrypt the login"), method="GET", unit=Unit.OWN)
def get_key(call: Call) -> PublicKey:
    """The key for encrypted bodies; good for a day and the next."""
    return PublicKey.of_row(current_key(call.services))


@api.read("/api/zcbus/sys/authentication/methods", public("the sign-in page shows it"), method="GET", unit=Unit.OWN)
def get_methods(call: Call) -> SignInMethods:
    """The ways of signing in that this installation offers."""
    settings = call.services.settings
    return SignInMethods(
        slide=settings.login_captcha,
        longest_password=settings.password_longest,
        third_party=settings.openid.name if settings.openid else None,
        saml=settings.saml.name if settings.saml else None,
        service_ticket=settings.cas_url is not None,
        login_free=settings.login_free is not None,
        directory=settings.ldap.name if settings.ldap else None,
    )


@api.change("/api/zcbus/sys/authentication/login", public("this is where sessions come from"), unit=Unit.OWN)
def login(call: Call, body: LoginRequest) -> LoginAnswer:
    """Sign in. Code 40200 demands a change of password first, 40201 a code of the second factor, 40202 to set one up;
    40104 and 40105 speak of the captcha, 40106 of name or password."""
    return service.login(call, body)


@api.change(
    "/api/zcbus/sys/authentication/login/second-factor",
    public("the token is in the body: there is no session before the code"),
    unit=Unit.OWN,
)
def login_second_factor(call: Call, body: SecondFactorRequest) -> LoginAnswer:
    """Finish a sign-in with a code. Code 40200 as for the login; 40107: begin the sign-in again."""
    return second_step.give_code(call, body)


@api.change(
    "/api/zcbus/sys/authentication/login/second-factor/key/begin",
    public("the token is in the body: there is no session before the key"),
    unit=Unit.OWN,
    audited=False,
)
def begin_key_login(call: Call, body: KeyRequest) -> KeyCeremony:
    """A question to the security keys of the user who signs in. Code 40107: begin the sign-in again."""
    return second_step.ask_key(call, body.token)


@api.change(
    "/api/zcbus/sys/authentication/login/second-factor/key",
    public("the token is in the body: there is no session before the key"),
    unit=Unit.OWN,
)
def login_key(call: Call, body: KeyLogin) -> LoginAnswer:
    """Finish a sign-in with a security key. Codes as for the code."""
    return second_step.give_key(call, body)


@api.read(
    "/api/zcbus/sys/authentication/login/second-factor/begin",
    public("the token is in the body: there is no session before the set-up"),
    unit=Unit.OWN,
)
def begin_second_factor(call: Call, body: SetUpRequest) -> SetUp:
    """A secret for a user who must set a second factor up to sign in. Code 40107: begin the sign-in again."""
    return second_step.begin_set_up(call, body.token)


@api.change(
    "/api/zcbus/sys/authentication/login/second-factor/on",
    public("the token is in the body: there is no session before the set-up"),
    unit=Unit.OWN,
)
def set_up_second_factor(call: Call, body: SetUpCode) -> SetUpAnswer:
    """Finish a sign-in by setting a second factor up. Code 40107: begin the sign-in again."""
    return second_step.finish_set_up(call, body)


@api.change(
    "/api/zcbus/sys/authentication/login/second-factor/key/set-up/begin",
    public("the token is in the body: there is no session before the set-up"),
    unit=Unit.OWN,
    audited=False,
)
def begin_key_set_up(call: Call, body: SetUpRequest) -> KeyCeremony:
    """Begin the registration of a security key by a user who must set a second factor up to sign in. Code 40107: begin
    the sign-in again."""
    return second_step.begin_key_set_up(call, body.token)


@api.change(
    "/api/zcbus/sys/authentication/login/second-factor/key/set-up",
    public("the token is in the body: there is no session before the set-up"),
    unit=Unit.OWN,
)
def set_up_key(call: Call, body: SetUpKey) -> SetUpAnswer:
    """Finish a sign-in by registering a security key. Code 40107: begin the sign-in again."""
    return second_step.finish_key_set_up(call, body)


@api.change(
    "/api/zcbus/sys/authentication/login/free", public("the operator lets everybody in as one account"), unit=Unit.OWN
)
def login_free(call: Call, body: CameFrom) -> LoginAnswer:
    """A session without a password, where the platform is set up for it (`ZCBUS_LOGIN_FREE`)."""
    return service.login_free(call, body)


@api.change("/api/zcbus/sys/authentication/logout", public("ending a session that is over already is no error"))
def logout(call: Call, body: LogoutRequest) -> None:
    """Sign out."""
    service.logout(call, body)


@api.read("/api/zcbus/auth/info", signed_in(), method="GET")
def get_information(call: Call) -> SessionInformation:
    """The signed-in user."""
    return service.describe(call)


@api.read("/api/zcbus/sys/session/page", signed_in(), lists=SESSIONS)
def page_own(call: Call, body: SessionPageRequest) -> Page[SessionRecord]:
    """Where the caller is signed in."""
    return answer_page(call, body, open_sessions.listing(call, body))


@api.change("/api/zcbus/sys/session/end", signed_in())
def end_own(call: Call, body: SessionChoice) -> None:
    """End one of the caller's sessions."""
    open_sessions.end(call, body.id)


@api.change("/api/zcbus/sys/session/end/all", signed_in())
def end_all_own(call: Call, body: AllSessions) -> None:
    """End all of the caller's sessions; browsers that were known are strangers then. API tokens stay."""
    open_sessions.end_all(call, keep_this=body.keep_this)
