"""The documentation in the console's help, and the articles that tenants write."""

from zcbus.control.features.help.article_endpoints import api as articles
from zcbus.control.features.help.documents import CACHE
from zcbus.control.features.help.endpoints import api
from zcbus.control.features.help.messages import EN, ZH
from zcbus.control.platform.feature import Feature
from zcbus.control.platform.routing import Api

feature = Feature(Api.joined(api, articles), ZH, EN, caches=(CACHE,))
