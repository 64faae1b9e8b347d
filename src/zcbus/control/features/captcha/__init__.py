"""Pictures with digits: for signing in, and before something is deleted."""

from zcbus.control.features.captcha.endpoints import api
from zcbus.control.features.captcha.messages import EN, ZH
from zcbus.control.features.captcha.pictures import remove_expired
from zcbus.control.platform.feature import Feature, Periodic
from zcbus.control.platform.short_lived import short_lived
from zcbus.control.store.tables.identity import captcha

feature = Feature(
    api,
    ZH,
    EN,
    periodic=(Periodic("captchas", 60, remove_expired),),
    caches=(short_lived("captchas", captcha),),
)
