"""Orders to tables: one rule set, one answer per table and one record, from whichever page or program they come."""

from zcbus.control.features.table_command import comparison_endpoints, publish_endpoints, transfer_endpoints
from zcbus.control.features.table_command.messages import EN, ZH
from zcbus.control.platform.feature import Feature
from zcbus.control.platform.routing import Api

feature = Feature(Api.joined(transfer_endpoints.api, publish_endpoints.api, comparison_endpoints.api), ZH, EN)
