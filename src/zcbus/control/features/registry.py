"""Every feature of the control plane, in one literal list."""

from zcbus.control.features.account import feature as account
from zcbus.control.features.agent_gateway import feature as agent_gateway
from zcbus.control.features.alert import feature as alert
from zcbus.control.features.alert_rule import feature as alert_rule
from zcbus.control.features.anomaly_statistics import feature as anomaly_statistics
from zcbus.control.features.audit_stream import feature as audit_stream
from zcbus.control.features.cache import feature as cache
from zcbus.control.features.captcha import feature as captcha
from zcbus.control.features.cluster import feature as cluster
from zcbus.control.features.common import feature as common
from zcbus.control.features.container import feature as container
from zcbus.control.features.contrast import feature as contrast
from zcbus.control.features.data_service import feature as data_service
from zcbus.control.features.datasource import feature as datasource
from zcbus.control.features.department import feature as department
from zcbus.control.features.dependants import feature as dependants
from zcbus.control.features.dictionary import feature as dictionary
from zcbus.control.features.download import feature as download
from zcbus.control.features.driver import feature as driver
from zcbus.control.features.encode_tool import feature as encode_tool
from zcbus.control.features.external_sign_in import feature as external_sign_in
from zcbus.control.features.file_preview import feature as file_preview
from zcbus.control.features.flow_path import feature as flow_path
from zcbus.control.features.help import feature as help_pages
from zcbus.control.features.home import feature as home
from zcbus.control.features.index_statistics import feature as index_statistics
from zcbus.control.features.link_monitor import feature as link_monitor
from zcbus.control.features.live import feature as live
from zcbus.control.features.load_history import feature as load_history
from zcbus.control.features.log_search import feature as log_search
from zcbus.control.features.machine import feature as machine
from zcbus.control.features.master_key import feature as master_key
from zcbus.control.features.menu import feature as menu
from zcbus.control.features.message_bus import feature as message_bus
from zcbus.control.features.metric import feature as metric
from zcbus.control.features.network_route import feature as network_route
from zcbus.control.features.notification import feature as notification
from zcbus.control.features.operation_log import feature as operation_log
from zcbus.control.features.overview_monitor import feature as overview_monitor
from zcbus.control.features.parameter import feature as parameter
from zcbus.control.features.point_to_point import feature as point_to_point
from zcbus.control.features.policy import feature as policy
from zcbus.control.features.progress import feature as progress
from zcbus.control.features.publish import feature as publish
from zcbus.control.features.reconciliation import feature as reconciliation
from zcbus.control.features.recycle_bin import feature as recycle_bin
from zcbus.control.features.registration import feature as registration
from zcbus.control.features.role import feature as role
from zcbus.control.features.row_error import feature as row_error
from zcbus.control.features.search import feature as search
from zcbus.control.features.second_factor import feature as second_factor
from zcbus.control.features.selection import feature as selection
from zcbus.control.features.service import feature as service
from zcbus.control.features.service_account import feature as service_account
from zcbus.control.features.session import feature as session
from zcbus.control.features.simplify_sync import feature as simplify_sync
from zcbus.control.features.sql_management import feature as sql_management
from zcbus.control.features.stream import feature as stream
from zcbus.control.features.subscribe import feature as subscribe
from zcbus.control.features.sync_link import feature as sync_link
from zcbus.control.features.sync_task import feature as sync_task
from zcbus.control.features.table_command import feature as table_command
from zcbus.control.features.table_import import feature as table_import
from zcbus.control.features.task_plan import feature as task_plan
from zcbus.control.features.tenant import feature as tenant
from zcbus.control.features.terminal import feature as terminal
from zcbus.control.features.timeline import feature as timeline
from zcbus.control.features.translation import feature as translation
from zcbus.control.features.upload import feature as upload
from zcbus.control.features.user import feature as user
from zcbus.control.features.user_setting import feature as user_setting
from zcbus.control.features.verification import feature as verification
from zcbus.control.platform.feature import Feature

FEATURES: tuple[Feature, ...] = (
    session,
    captcha,
    account,
    second_factor,
    menu,
    department,
    role,
    user,
    service_account,
    user_setting,
    tenant,
    common,
    help_pages,
    progress,
    parameter,
    dictionary,
    timeline,
    translation,
    container,
    cluster,
    agent_gateway,
    datasource,
    publish,
    subscribe,
    table_command,
    sync_link,
    sync_task,
    simplify_sync,
    row_error,
    contrast,
    verification,
    sql_management,
    search,
    dependants,
    stream,
    service,
    data_service,
    home,
    task_plan,
    file_preview,
    flow_path,
    link_monitor,
    metric,
    point_to_point,
    policy,
    alert,
    alert_rule,
    network_route,
    upload,
    driver,
    table_import,
    download,
    notification,
    selection,
    operation_log,
    audit_stream,
    load_history,
    log_search,
    index_statistics,
    overview_monitor,
    anomaly_statistics,
    encode_tool,
    external_sign_in,
    message_bus,
    reconciliation,
    recycle_bin,
    cache,
    registration,
    machine,
    master_key,
    terminal,
    live,
)
