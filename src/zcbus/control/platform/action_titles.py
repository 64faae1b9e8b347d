"""Titles of recorded actions in both languages, by the kind of object they act on.

An action is the operation id of a call (`sync-link_pause`), or the name that work without a call is recorded under.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from zcbus.control.platform.language import Language


@dataclass(frozen=True, slots=True)
class Title:
    """A title in both languages."""

    zh: str
    en: str

    def text(self, language: Language) -> str:
        """The title in one language."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True)
class ActionKind:
    """The actions on one kind of object."""

    title: Title
    actions: Mapping[str, Title]


def _kind(title: tuple[str, str], actions: Mapping[str, tuple[str, str]]) -> ActionKind:
    return ActionKind(Title(*title), {action: Title(*texts) for action, texts in actions.items()})


ACTION_KINDS: Mapping[str, ActionKind] = MappingProxyType(
    {
        "session": _kind(
            ("登录与会话", "Sign-ins and sessions"),
            {
                "session_login": ("密码登录", "Sign in with password"),
                "session_login_second_factor": ("两步验证登录", "Sign in with second factor"),
                "session_set_up_second_factor": ("登录时设置两步验证", "Set up second factor at sign-in"),
                "session_login_key": ("安全密钥登录", "Sign in with security key"),
                "session_set_up_key": ("登录时注册安全密钥", "Register security key at sign-in"),
                "session_login_free": ("免登录进入", "Sign in without password"),
                "external-sign-in_sign_in_third_party": ("第三方登录", "Sign in with OpenID Connect"),
                "external-sign-in_sign_in_saml": ("SAML 登录", "Sign in with SAML"),
                "external-sign-in_sign_in_service_ticket": ("服务票据登录", "Sign in with service ticket"),
                "session_logout": ("退出登录", "Sign out"),
                "session_end_own": ("结束一个会话", "End a session"),
                "session_end_all_own": ("结束全部会话", "End all sessions"),
            },
        ),
        "link": _kind(
            ("同步链路", "Sync link"),
            {
                "sync-link_apply_document": ("创建或修改链路", "Create or change link"),
                "simplify-sync_start": ("创建极简同步链路", "Create link by simplified sync"),
                "sync-link_delete": ("删除链路", "Delete link"),
                "sync-link_start": ("启动链路", "Start link"),
                "sync-link_stop": ("停止链路", "Stop link"),
                "sync-link_pause": ("暂停链路", "Pause link"),
                "sync-link_resume": ("恢复链路", "Resume link"),
                "sync-link_accept_gaps": ("接受变更缺口", "Accept gaps in changes"),
                "sync-link_reload_tables": ("表启动全量", "Reload tables"),
                "sync-link_reset_tables": ("重置表", "Reset tables"),
                "sync-link_reset_and_start_tables": ("重置并启动表", "Reset and start tables"),
                "sync-link_resume_tables": ("恢复表", "Resume tables"),
                "sync-link_start_incremental": ("从指定位点启动增量", "Start incremental from a position"),
                "sync-link_suspend_tables": ("暂停表", "Suspend tables"),
                "sync-link_take_in_tables": ("增加表", "Add tables"),
                "sync-link.take-in": ("自动增加新表", "Add new tables automatically"),
                "sync-link.follow-renamed": ("同步表改名", "Follow renamed table"),
            },
        ),
        "row-error": _kind(
            ("异常行", "Row error"),
            {
                "row-error_edit": ("修改后重试异常行", "Edit and retry row error"),
                "row-error_retry": ("重试异常行", "Retry row errors"),
                "row-error_skip": ("跳过异常行", "Skip row errors"),
                "row-error_limit": ("设置异常阈值", "Set limits of row errors"),
                "row-error_edit_of_channel": ("修改后重试通道异常行", "Edit and retry row error of channel"),
                "row-error_retry_of_channel": ("重试通道异常行", "Retry row errors of channel"),
                "row-error_skip_of_channel": ("跳过通道异常行", "Skip row errors of channel"),
            },
        ),
        "publish": _kind(
            ("发布节点", "Publish node"),
            {
                "publish_add_node": ("新增发布节点", "Add publish node"),
                "publish_edit_node": ("修改发布节点", "Edit publish node"),
                "publish_delete_node": ("删除发布节点", "Delete publish node"),
                "publish_start_node": ("启动发布", "Start publishing"),
                "publish_stop_node": ("停止发布", "Stop publishing"),
                "publish_add_tables": ("发布表", "Publish tables"),
                "publish_publish_again": ("重新发布全量数据", "Publish full data again"),
                "publish_retry_tables": ("重试发布表", "Retry published tables"),
                "publish_set_key": ("设置表的键", "Set key of table"),
                "publish_stop_tables": ("停止发布表", "Stop capturing tables"),
                "publish_withdraw_tables": ("撤销发布表", "Withdraw published tables"),
            },
        ),
        "customer": _kind(
            ("客户与数据库", "Customer and database"),
            {
                "subscribe_add_customer": ("新增客户", "Add customer"),
                "subscribe_edit_customer": ("修改客户", "Edit customer"),
                "subscribe_delete_customer": ("删除客户", "Delete customer"),
                "subscribe_add_database": ("新增客户数据库", "Add customer database"),
                "subscribe_edit_database": ("修改客户数据库", "Edit customer database"),
                "subscribe_delete_database": ("删除客户数据库", "Delete customer database"),
            },
        ),
        "channel": _kind(
            ("主控与通道", "Master and channel"),
            {
                "subscribe_add_master": ("新增主控", "Add master"),
                "subscribe_edit_master": ("修改主控", "Edit master"),
                "subscribe_delete_master": ("删除主控", "Delete master"),
                "subscribe_add_channel": ("新增通道", "Add channel"),
                "subscribe_edit_channel": ("修改通道", "Edit channel"),
                "subscribe_delete_channel": ("删除通道", "Delete channel"),
                "subscribe_start_channel": ("启动通道", "Start channel"),
                "subscribe_stop_channel": ("停止通道", "Stop channel"),
                "subscribe_rebalance": ("通道再均衡", "Rebalance channels"),
            },
        ),
        "subscription": _kind(
            ("订阅表", "Subscribed table"),
            {
                "subscribe_add_subscriptions": ("订阅表", "Subscribe tables"),
                "subscribe_edit_subscription": ("修改订阅表", "Edit subscribed table"),
                "subscribe_unbind_subscriptions": ("解绑表", "Unsubscribe tables"),
                "subscribe_start_full": ("启动全量订阅", "Start full subscription"),
                "subscribe_start_incremental_subscription": ("启动增量订阅", "Start incremental subscription"),
                "subscribe_suspend_subscriptions": ("暂停订阅表", "Suspend tables"),
                "subscribe_resume_subscriptions": ("恢复订阅表", "Resume tables"),
                "subscribe_reset_subscriptions": ("重置订阅状态", "Reset subscription status"),
                "subscribe_reset_and_start": ("重置并启动订阅", "Reset and start subscription"),
                "subscribe_recover_subscriptions": ("异常处理", "Exception processing"),
                "subscribe_transfer_tables": ("通道转移", "Channel transfer"),
                "subscribe_accept_gap": ("接受订阅表的变更缺口", "Accept gap of tables"),
                "subscribe_limit_subscriptions": ("设置订阅表异常阈值", "Set error limits of tables"),
                "subscribe_set_cleaning": ("设置清理与 DDL 处理", "Set cleaning and DDL handling"),
                "subscribe_add_etl_rule": ("新增列规则", "Add column rule"),
                "subscribe_edit_etl_rule": ("修改列规则", "Edit column rule"),
                "subscribe_delete_etl_rules": ("删除列规则", "Delete column rules"),
            },
        ),
        "comparison": _kind(
            ("比对与校验", "Comparison and verification"),
            {
                "contrast_compare": ("比对表", "Compare tables"),
                "contrast_stop": ("停止比对", "Cancel comparison"),
                "contrast_discard": ("放弃差异", "Dismiss differences"),
                "contrast_repair": ("修复差异", "Repair differences"),
                "verification_verify": ("立即校验表", "Verify tables now"),
                "verification_repair": ("修复校验差异", "Repair differences of verification"),
            },
        ),
        "stream": _kind(
            ("实时计算", "Computation"),
            {
                "stream_add_computation": ("新增实时计算", "Add computation"),
                "stream_edit_computation": ("修改实时计算", "Edit computation"),
                "stream_delete_computation": ("删除实时计算", "Delete computation"),
                "stream_start_computation": ("启动实时计算", "Start computation"),
                "stream_stop_computation": ("停止实时计算", "Stop computation"),
                "stream_reset_computation": ("重置实时计算", "Reset computation"),
            },
        ),
        "policy": _kind(
            ("策略", "Policy"),
            {
                "policy_add_policy": ("新增策略", "Add policy"),
                "policy_edit_policy": ("修改策略", "Edit policy"),
                "policy_delete_policy": ("删除策略", "Delete policy"),
                "policy_apply_document": ("按文档设置策略", "Apply policy document"),
                "policy_add_tables": ("策略增加表", "Add tables to policy"),
                "policy_remove_tables": ("策略移除表", "Remove tables from policy"),
                "policy_save_table": ("修改策略表", "Edit table of policy"),
                "policy_add_version": ("生成策略版本", "Release policy version"),
                "policy_restore_version": ("将策略版本恢复为草稿", "Restore policy version"),
                "policy_retire_version": ("停用策略版本", "Retire policy version"),
                "policy_reinstate_version": ("启用策略版本", "Reinstate policy version"),
                "policy_distribute_policy": ("分发策略", "Distribute policy"),
                "policy_revoke_deliveries": ("撤销策略", "Revoke policy"),
                "policy_roll_back_deliveries": ("回滚策略版本", "Roll policy back"),
            },
        ),
        "data-service": _kind(
            ("数据服务", "Data service"),
            {
                "data_service_add_service": ("新增数据服务", "Add data service"),
                "data_service_edit_service": ("修改数据服务", "Edit data service"),
                "data_service_delete_service": ("删除数据服务", "Delete data service"),
                "data_service_operate_service": ("启停数据服务", "Start or stop data service"),
                "data_service_add_group": ("新增 API 分组", "Add API group"),
                "data_service_edit_group": ("修改 API 分组", "Edit API group"),
                "data_service_delete_group": ("删除 API 分组", "Delete API group"),
                "data_service_add_api": ("新增 API", "Add API"),
                "data_service_edit_api": ("修改 API", "Edit API"),
                "data_service_delete_api": ("删除 API", "Delete API"),
                "data_service_publish_api": ("发布 API", "Publish API"),
                "data_service_take_api_offline": ("下线 API", "Take API offline"),
                "data_service_restore_version": ("恢复 API 版本", "Restore API version"),
                "data_service_try_api": ("试运行 API", "Try API"),
                "data_service_add_app": ("新增 API 应用", "Add API app"),
                "data_service_edit_app": ("修改 API 应用", "Edit API app"),
                "data_service_delete_app": ("删除 API 应用", "Delete API app"),
                "data_service_renew_secret": ("更换 API 应用密钥", "Renew secret of API app"),
            },
        ),
        "data-source": _kind(
            ("数据源", "Data source"),
            {
                "datasource_test_source": ("测试源连接", "Test source connection"),
                "datasource_test_target": ("测试目标连接", "Test target connection"),
                "datasource_test_current_targets": ("测试全部目标连接", "Test all target connections"),
                "datasource_preview_source": ("预览源数据", "Preview source data"),
                "datasource_import_document": ("从 OpenAPI 导入文档", "Import document from OpenAPI"),
            },
        ),
        "container": _kind(
            ("容器", "Container"),
            {
                "cluster_add": ("新增容器", "Add container"),
                "cluster_edit": ("修改容器", "Edit container"),
                "cluster_delete": ("删除容器", "Delete container"),
                "cluster_offer_join": ("生成主机加入命令", "Create join command"),
                "cluster_join": ("主机加入容器", "Join host to container"),
                "cluster_delete_host": ("移除主机", "Delete host"),
                "container_change_properties": ("修改容器属性", "Change container properties"),
                "container_edit_properties": ("修改 Kafka 属性", "Edit Kafka properties"),
                "container_edit_network": ("修改容器网络", "Edit container network"),
                "machine_update": ("修改主机登录信息", "Change host credentials"),
                "terminal_open_shell": ("申请终端", "Request terminal"),
                "terminal_open_log": ("申请服务日志", "Request service log"),
                "terminal_open_host_log": ("申请主机日志", "Request host log"),
                "terminal_shell": ("使用终端", "Use terminal"),
                "terminal_log": ("查看日志", "Follow log"),
            },
        ),
        "service": _kind(
            ("服务", "Service"),
            {
                "service_add": ("新增服务", "Add services"),
                "service_edit": ("修改服务", "Edit service"),
                "service_delete": ("删除服务", "Delete service"),
                "service_modify_status": ("启停服务", "Start or stop services"),
                "service_modify_status_by_type": ("按类型启停服务", "Start or stop services by type"),
                "service_modify_child_status": ("启停下级服务", "Start or stop dependent services"),
                "service_update_status_by_node_id": ("启停节点的服务", "Start or stop services of node"),
                "service_force_status": ("强制关闭服务", "Force services to stop"),
                "service_transfer_container": ("转移服务到其他容器", "Move services to another container"),
                "service_place": ("指定服务所在主机", "Place services on hosts"),
            },
        ),
        "task-plan": _kind(
            ("任务计划", "Task plan"),
            {
                "task-plan_add_plan": ("新增任务计划", "Add task plan"),
                "task-plan_edit_plan": ("修改任务计划", "Edit task plan"),
                "task-plan_delete_plan": ("删除任务计划", "Delete task plan"),
                "task-plan_pause_plan": ("暂停任务计划", "Pause task plan"),
                "task-plan_resume_plan": ("恢复任务计划", "Resume task plan"),
                "task-plan_run_plan": ("立即执行任务计划", "Run task plan now"),
                "task-plan_start_backfill": ("补执行任务计划", "Backfill task plan"),
                "task-plan_cancel_backfill": ("取消补执行任务计划", "Cancel backfill of task plan"),
                "task-plan_run": ("执行任务计划", "Run of task plan"),
            },
        ),
        "alert": _kind(
            ("告警与通知", "Alerts and notices"),
            {
                "alert_acknowledge": ("确认告警", "Acknowledge alert"),
                "alert_resolve": ("标记告警已解决", "Mark alert as resolved"),
                "alert_assign": ("指派告警", "Assign alert"),
                "alert_add_mute": ("静默告警", "Mute alerts"),
                "alert_end_mute": ("结束静默", "End mute"),
                "alert-rule_add": ("新增告警规则", "Add alert rule"),
                "alert-rule_edit": ("修改告警规则", "Edit alert rule"),
                "alert-rule_mute": ("静默告警规则", "Mute alert rule"),
                "alert-rule_delete": ("删除告警规则", "Delete alert rule"),
                "alert_save": ("投递消息", "Deliver message"),
                "alert_set_status": ("标记告警已读", "Mark alerts as read"),
                "notification_add_receiver": ("新增接收方", "Add receiver"),
                "notification_edit_receiver": ("修改接收方", "Edit receiver"),
                "notification_delete_receiver": ("删除接收方", "Delete receiver"),
                "notification_test_receiver": ("测试接收方", "Test receiver"),
                "notification_resend_delivery": ("重新发送通知", "Resend notice"),
            },
        ),
        "user": _kind(
            ("用户与权限", "Users and rights"),
            {
                "user_upsert": ("新增或修改用户", "Add or change user"),
                "user_delete": ("删除用户", "Delete user"),
                "user_reset_password": ("重置用户密码", "Reset password of user"),
                "user_remove_second_factor": ("移除用户的两步验证", "Remove second factor of user"),
                "user_send": ("下发账号", "Move account to another tenant"),
                "account_change_password": ("修改密码", "Change password"),
                "second-factor_turn_on": ("开启两步验证", "Turn second factor on"),
                "second-factor_turn_off": ("关闭两步验证", "Turn second factor off"),
                "second-factor_renew_recovery_codes": ("重新生成恢复码", "Renew recovery codes"),
                "second-factor_remove_authenticator": ("移除身份验证器", "Remove authenticator"),
                "second-factor_begin_key": ("开始注册安全密钥", "Begin registering security key"),
                "second-factor_add_key": ("注册安全密钥", "Register security key"),
                "second-factor_rename_key": ("重命名安全密钥", "Rename security key"),
                "second-factor_remove_key": ("移除安全密钥", "Remove security key"),
                "role_add": ("新增角色", "Add role"),
                "role_edit": ("修改角色", "Edit role"),
                "role_delete": ("删除角色", "Delete role"),
                "service-account_add": ("新增服务账号", "Add service account"),
                "service-account_edit": ("修改服务账号", "Edit service account"),
                "service-account_rotate": ("轮换服务账号的令牌", "Rotate token of service account"),
                "service-account_revoke": ("吊销服务账号", "Revoke service account"),
                "department_add": ("新增部门", "Add department"),
                "department_edit": ("修改部门", "Edit department"),
                "department_delete": ("删除部门", "Delete department"),
                "menu_edit": ("修改菜单", "Edit menu entry"),
                "menu_move": ("移动菜单", "Move menu entry"),
                "menu_add_group": ("新增菜单分组", "Add menu group"),
                "menu_delete_group": ("删除菜单分组", "Delete menu group"),
                "tenant_add": ("新增租户", "Add tenant"),
                "tenant_edit": ("修改租户", "Edit tenant"),
                "tenant_delete": ("删除租户", "Delete tenant"),
                "operation-log_verify_now": ("校验操作日志", "Verify operation log"),
                "operation-log_accept": ("接受操作日志的当前状态", "Accept operation log as it is"),
            },
        ),
        "master-key": _kind(
            ("主密钥", "Master keys"),
            {
                "master-key_add": ("生成主密钥", "Make master key"),
                "master-key_activate": ("启用主密钥", "Use master key"),
                "master-key_rotate": ("更换主密钥", "Rotate master key"),
                "master-key_retire": ("移除主密钥", "Retire master key"),
                "master-key_wrap": ("由 Vault 加密主密钥", "Encrypt master keys by Vault"),
            },
        ),
        "sql": _kind(
            ("SQL 与工具", "SQL and tools"),
            {
                "sql_run": ("执行查询", "Run query"),
                "sql_commit": ("执行并提交 SQL", "Run and commit SQL"),
                "import_begin": ("开始上传要导入的文件", "Begin upload of file to import"),
                "import_run": ("导入数据", "Import data"),
                "sql_add": ("保存 SQL", "Save statement"),
                "sql_edit": ("修改已保存的 SQL", "Edit saved statement"),
                "sql_delete": ("删除已保存的 SQL", "Delete saved statement"),
                "encode-tool_encode": ("加密文本", "Encrypt text"),
                "encode-tool_decode": ("解密文本", "Decrypt text"),
            },
        ),
        "article": _kind(
            ("文章", "Article"),
            {
                "article_add": ("新增文章草稿", "Add draft of an article"),
                "article_edit": ("修改文章草稿", "Change draft of an article"),
                "article_publish": ("发布文章", "Publish article"),
                "article_withdraw": ("撤回文章", "Withdraw article"),
                "article_place": ("调整文章顺序", "Set place of an article"),
                "article_restore_version": ("恢复文章版本为草稿", "Restore version of an article as its draft"),
                "article_delete": ("删除文章", "Delete article"),
            },
        ),
        "upload": _kind(
            ("上传的文件", "Uploaded files"),
            {
                "upload_begin_file": ("开始上传文件", "Begin upload of file"),
                "upload_begin_picture": ("开始上传图片", "Begin upload of picture"),
                "upload_begin_object": ("开始上传到对象存储", "Begin upload to object store"),
                "upload_finish": ("完成上传", "Complete upload"),
                "upload_cancel": ("取消上传", "Cancel upload"),
                "upload_delete": ("删除文件", "Delete file"),
                "upload_change_avatar": ("修改头像", "Change picture"),
                "upload_remove_avatar": ("移除头像", "Remove picture"),
            },
        ),
        "driver": _kind(
            ("驱动", "Drivers"),
            {
                "driver_begin": ("开始上传驱动", "Begin upload of driver"),
                "driver_add": ("新增驱动", "Add driver"),
                "driver_distribute": ("修改驱动的容器", "Change containers of driver"),
                "driver_delete": ("移除驱动", "Remove driver"),
            },
        ),
        "message-bus": _kind(
            ("消息总线", "Message bus"),
            {
                "message-bus_read_record": ("查看消息总线记录", "Look into record of message bus"),
                "message-bus_edit_retention": ("修改主题保留时间", "Change retention of topics"),
                "message-bus_delete": ("删除主题", "Delete topic"),
            },
        ),
        "cache": _kind(
            ("缓存", "Cache"),
            {
                "cache_clear": ("清除缓存", "Clear cache"),
            },
        ),
        "recycle-bin": _kind(
            ("回收站", "Recycle bin"),
            {
                "recycle-bin_restore": ("从回收站恢复", "Restore from recycle bin"),
                "recycle-bin_delete": ("彻底删除", "Delete permanently"),
                "recycle-bin_empty": ("清空回收站", "Empty recycle bin"),
            },
        ),
        "system": _kind(
            ("系统设置", "System settings"),
            {
                "parameter_update": ("修改系统参数", "Set system parameter"),
                "dictionary_add": ("新增字典", "Add dictionary"),
                "dictionary_edit": ("修改字典", "Edit dictionary"),
                "dictionary_delete": ("删除字典", "Delete dictionary"),
                "translation_save": ("修改文本", "Change text"),
                "translation_reset": ("恢复出厂文本", "Reset text"),
                "translation_reset_all": ("恢复全部出厂文本", "Reset all texts"),
                "translation_import_texts": ("导入文本", "Import texts"),
                "network-route_add": ("新增网络路由", "Add network route"),
                "network-route_edit": ("修改网络路由", "Edit network route"),
                "network-route_delete": ("删除网络路由", "Delete network route"),
                "network-route_test": ("测试网络路由", "Test network route"),
                "registration_register": ("录入注册码", "Register code"),
            },
        ),
    }
)

_TITLES: Mapping[str, Title] = {
    action: title for kind in ACTION_KINDS.values() for action, title in kind.actions.items()
}


def action_title(language: Language, action: str) -> str:
    """The title of an action. An action that this version does not know is its own title."""
    title = _TITLES.get(action)
    return title.text(language) if title else action


def actions_titled(text: str) -> list[str]:
    """Actions with a title that contains the text, in either language and case."""
    wanted = text.lower()
    return [name for name, title in _TITLES.items() if wanted in title.zh.lower() or wanted in title.en.lower()]


def titled_actions() -> frozenset[str]:
    """Every action that has a title."""
    return frozenset(_TITLES)
