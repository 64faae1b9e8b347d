"""Reasons that speak of tables and columns, in both languages: (code, Chinese, English), then under
`….remedy` what to do. Codes: zcbus.engine.reasons, mapping notes and refusals of the connectors, and the agent's."""

_TEXTS: tuple[tuple[str, str, str], ...] = (
    # Published tables.
    (
        "table-without-key",
        "表 {table} 既没有主键，也没有非空唯一索引（可延迟约束不算）",
        "Table {table} has neither a primary key nor a unique index over NOT NULL columns; deferrable ones do not count",
    ),
    (
        "table-without-key.remedy",
        "为该表添加主键，或选择能唯一标识一行的键列，或以只追加方式发布",
        "Add a primary key, choose key columns that identify a row, or publish the table append-only",
    ),
    ("full-topic-expired", "表 {table} 的全量数据已过保留期", "The full data of table {table} passed its retention"),
    (
        "full-topic-expired.remedy",
        "对该表启动全量，以再次发布全量数据",
        "Start full for the table to publish its full data again",
    ),
    (
        "capture-interrupted",
        "表 {table} 的变更捕获曾中断，期间的变更已缺失",
        "The capture of table {table} was interrupted; changes are missing",
    ),
    (
        "capture-interrupted.remedy",
        "对该表启动全量，或接受缺口并继续",
        "Start full for the table, or accept the gap and continue",
    ),
    (
        "publication-stopped",
        "表 {table} 已停止发布，其变更不再捕获",
        "Publishing table {table} was stopped; its changes are not captured",
    ),
    (
        "publication-stopped.remedy",
        "重新发布该表；订阅端请对该表启动全量，只应用变更的订阅可接受缺口并继续",
        "Publish the table again; where it is subscribed, start full for it, or accept the gap where only changes are applied",
    ),
    # Loads in the history of loads.
    ("load-superseded", "已被同一张表更新的全量装载取代", "A newer full load of the same table replaced it"),
    ("load-table-removed", "该表已解绑", "The table is no longer subscribed"),
    ("load-suspended", "该表已暂停，或其服务已停止", "The table is suspended, or its service is stopped"),
    ("load-suspended.remedy", "恢复该表，或启动其服务", "Resume the table, or start its service"),
    ("load-service-away", "其服务当前未运行", "Its service does not run now"),
    ("load-service-away.remedy", "检查该服务及其主机", "Check the service and its host"),
    (
        "load-agent-silent",
        "其代理失去联系，装载是否继续未知",
        "Its agent is silent; whether the load runs is not known",
    ),
    ("load-agent-silent.remedy", "检查代理的主机和网络", "Check the agent's host and network"),
    # Subscribed tables.
    (
        "full-load-expired",
        "表 {table} 所需的全量数据已不在消息总线上",
        "The full data that table {table} needs is no longer on the bus",
    ),
    ("full-load-expired.remedy", "对该表启动全量", "Start full for the table"),
    (
        "changes-expired",
        "表 {table} 尚未应用的变更已过保留期（需要 {wanted}，现存最早 {first}）",
        "Changes of table {table} that were not applied yet passed their retention (needed {wanted}, oldest {first})",
    ),
    (
        "changes-expired.remedy",
        "对该表启动全量，或接受缺口并继续；并延长保留时间",
        "Start full for the table, or accept the gap and continue; keep topics for longer",
    ),
    (
        "topic-replaced",
        "表 {table} 的增量主题已被重建，原位点不再有效",
        "The real topic of table {table} was created again; the old position is void",
    ),
    (
        "topic-replaced.remedy",
        "对该表启动全量，或接受缺口并继续",
        "Start full for the table, or accept the gap and continue",
    ),
    (
        "schema-changed",
        "表 {table} 的结构已改变：新增 {added}；删除 {removed}；修改 {changed}",
        "The structure of table {table} changed: added {added}; removed {removed}; changed {changed}",
    ),
    (
        "schema-changed.remedy",
        "确认目标表结构后对该表启动全量，或将 DDL 规则改为“同步到目标表”",
        "Check the target table and start full for the table, or let the link follow structure changes",
    ),
    (
        "schema-not-followed",
        "表 {table} 的列 {column} 的结构变更无法同步到目标表（{why}：{before} → {after}）：只有启动全量后数据才会一致",
        "The change of column {column} of table {table} cannot be followed ({why}: {before} to {after}): "
        "only a new load gives the same rows",
    ),
    ("schema-not-followed.remedy", "对该表启动全量", "Start full for the table"),
    (
        "key-changed",
        "表 {table} 的键列已由 {before} 变为 {after}",
        "The key columns of table {table} changed from {before} to {after}",
    ),
    ("key-changed.remedy", "对该表启动全量", "Start full for the table"),
    (
        "column-not-in-target",
        "目标表缺少列（表 {table}）：{columns}",
        "The target table lacks columns (table {table}): {columns}",
    ),
    (
        "column-not-in-target.remedy",
        "在目标表中添加这些列后恢复该表",
        "Add the columns to the target table and resume the table",
    ),
    (
        "row-errors-over-limit",
        "表 {table} 的一行数据被目标库拒绝（{key}），且未处理的异常行已达上限 {limit}：{detail}",
        "The target refused a row of table {table} ({key}), and no more than {limit} may be open: {detail}",
    ),
    (
        "row-errors-over-limit.remedy",
        "在“异常处理”中修改后重试或跳过这些行，或消除目标库中的原因",
        "Edit, retry or skip the rows under row errors, or remove the cause in the target",
    ),
    (
        "key-not-mapped",
        "表 {table} 的键列未被选中：{columns}",
        "Key columns of table {table} are not selected: {columns}",
    ),
    ("key-not-mapped.remedy", "在列映射中选中全部键列", "Take all key columns along in the mapping"),
    (
        "snapshot-not-convergent",
        "表 {table} 的全量读取曾中断，期间有行跨越断点移动",
        "The full load of table {table} was interrupted, and a row moved across the break",
    ),
    ("snapshot-not-convergent.remedy", "对该表启动全量", "Start full for the table"),
    # Pre-check.
    ("check-failed", "{side}连接检查未通过：{item}（{detail}）", "Check of the {side} failed: {item} ({detail})"),
    ("nothing-selected", "没有选择任何表", "No table is selected"),
    ("nothing-selected.remedy", "至少选择一张表", "Select at least one table"),
    (
        "name-too-long",
        "目标名称 {name} 长度为 {length}，超过上限 {limit}",
        "The target name {name} has {length} characters; {limit} are allowed",
    ),
    ("name-too-long.remedy", "在映射中改用较短的名称", "Choose a shorter name in the mapping"),
    (
        "target-duplicate",
        "多张表写入同一目标表 {target}：{tables}",
        "Several tables go to the same target table {target}: {tables}",
    ),
    ("target-duplicate.remedy", "为每张表指定不同的目标表", "Give each table a target of its own"),
    ("same-table", "表 {table} 的源与目标是同一张表", "Source and target of table {table} are the same table"),
    ("same-table.remedy", "更换目标数据库或目标表名", "Choose another target database or table name"),
    (
        "target-exists",
        "目标表 {target} 已存在，将按键合并数据",
        "The target table {target} exists; rows are merged by key",
    ),
    (
        "target-will-be-cleaned",
        "目标表 {target} 已存在，将按“{clean}”清理",
        "The target table {target} exists and will be cleaned ({clean})",
    ),
    ("target-will-be-cleaned.remedy", "确认目标表中的数据可以删除", "Make sure that its data may go"),
    ("target-column-missing", "目标表 {target} 缺少列 {column}", "The target table {target} lacks column {column}"),
    (
        "target-column-missing.remedy",
        "在目标表中添加该列，或在映射中不选该列",
        "Add the column to the target table, or leave it out of the mapping",
    ),
    (
        "target-key-differs",
        "目标表 {target} 的键为 {found}，应为 {expected}",
        "The key of the target table {target} is {found}; expected {expected}",
    ),
    ("target-key-differs.remedy", "核对目标表的主键", "Check the target table's primary key"),
    (
        "target-needs-key",
        "目标只接受有键的表，而表 {table} 以只追加方式发布",
        "The target takes only tables with a key, and table {table} is published append-only",
    ),
    (
        "target-needs-key.remedy",
        "为源表添加主键或唯一键，或选择其他类型的目标",
        "Give the source table a primary or unique key, or choose a target of another kind",
    ),
    (
        "target-key-inexact",
        "目标表 {target} 的键列 {column} 按 {collation} 比较，会把源端不同的值视为相同，导致行被合并",
        "Key column {column} of the target table {target} compares by {collation}: values that differ in the source are "
        "equal there, and their rows would be merged",
    ),
    (
        "target-key-inexact.remedy",
        "在目标数据库执行 {statement}，或以“删除并重建”方式清理目标表",
        "Run {statement} at the target, or have the target table dropped and created again",
    ),
    (
        "target-column-required",
        "目标表 {target} 的列 {column} 不允许为空，但没有数据来源",
        "Column {column} of the target table {target} demands a value, and nothing fills it",
    ),
    ("target-column-required.remedy", "为该列设置默认值或允许为空", "Give the column a default, or let it be NULL"),
    ("column-unknown", "表 {table} 没有列 {column}", "Table {table} has no column {column}"),
    ("column-unknown.remedy", "核对列映射", "Check the column mapping"),
    ("key-unknown", "表 {table} 没有键列 {column}", "Table {table} has no key column {column}"),
    ("key-unknown.remedy", "重新选择键列", "Choose the key columns again"),
    (
        "key-nullable",
        "表 {table} 的键列 {column} 允许为空，空值行无法区分",
        "Key column {column} of table {table} may be NULL; such rows cannot be distinguished",
    ),
    ("key-nullable.remedy", "将该列设为 NOT NULL，或改选其他键列", "Make the column NOT NULL, or choose others"),
    (
        "column-unsupported",
        "表 {table} 的列 {column}（{type}）无法复制：{reason}",
        "Column {column} ({type}) of table {table} cannot be replicated: {reason}",
    ),
    ("column-unsupported.remedy", "在映射中不选该列", "Leave the column out of the mapping"),
    (
        "cascades-not-logged",
        "表 {table} 有外键级联，MySQL 不会将级联引起的变更写入日志",
        "Table {table} has cascading foreign keys; MySQL does not log what they change",
    ),
    (
        "cascades-not-logged.remedy",
        "避免依赖级联删除或更新；级联之后对该表执行比对并修复，或启动全量",
        "Do not rely on cascades, or compare and repair the table after them, or start full",
    ),
    (
        "delivery-repeats",
        "表 {table} 的消息至少投递一次：故障之后同一消息可能再次投递，成为新的一行；代理不保留已读取的消息，全量没有行",
        "Messages of table {table} are delivered at least once: after a failure some come again, as rows of their own. The "
        "broker keeps none that were read, so a full load has no rows",
    ),
    (
        "delivery-repeats.remedy",
        "在数据源中声明主键列，使重复的消息写入同一行；不要对其启动全量，否则由平台创建的目标表会被清空",
        "Declare key columns in the data source, so that a repeat writes the same row. Do not start full again: it empties "
        "a target table that the platform created",
    ),
    (
        "messages-not-kept",
        "表 {table} 的消息读取之后代理不再保留，全量没有行",
        "The broker keeps no message of table {table} that was read, so a full load has no rows",
    ),
    (
        "messages-not-kept.remedy",
        "不要再次对其启动全量，否则由平台创建的目标表会被清空；如有缺口，请接受缺口并继续",
        "Do not start full again: it empties a target table that the platform created. After a gap, accept it and continue",
    ),
    (
        "senders-repeat",
        "表 {table} 的请求至少送达一次：未及时收到答复的发送方会重发，成为新的一行；服务停止期间发送方放弃重发的请求会丢失，全量没有行",
        "Requests of table {table} arrive at least once: a sender that got no answer in time sends again, as a row of its own. "
        "What senders give up while the service is away is lost, and a full load has no rows",
    ),
    (
        "senders-repeat.remedy",
        "在数据源中声明主键列（如事件编号 _key），使重发写入同一行；确认发送方会重发，不要对其启动全量，否则由平台创建的目标表会被清空",
        "Declare key columns in the data source, such as _key, the event's id, so that a repeat writes the same row. See that "
        "senders repeat. Do not start full again: it empties a target table that the platform created",
    ),
    (
        "requests-not-kept",
        "表 {table} 的请求只由发送方保留：服务停止期间发送方放弃重发的请求会丢失，全量没有行",
        "Only senders keep requests of table {table}: what they give up while the service is away is lost, and a full load has "
        "no rows",
    ),
    (
        "requests-not-kept.remedy",
        "确认发送方重发的时长超过服务可能停止的时间；不要再次对其启动全量，否则由平台创建的目标表会被清空",
        "See that senders repeat for longer than the service may be away. Do not start full again: it empties a target table "
        "that the platform created",
    ),
    ("pattern-matches-nothing", "匹配规则 {pattern} 没有匹配到任何表", "The pattern {pattern} selects no table"),
    (
        "pattern-matches-nothing.remedy",
        "核对匹配规则、模式名和大小写",
        "Check the pattern, the schema's name and upper and lower case",
    ),
    # What becomes of columns.
    ("type-widened", "列 {column} 使用更宽的类型 {type}", "Column {column} becomes the wider type {type}"),
    (
        "stored-as-text",
        "列 {column} 以文本（{type}）保存，不丢失任何信息",
        "Column {column} is stored as text ({type}), so that nothing is lost",
    ),
    ("stored-as-json", "列 {column} 以 JSON 保存", "Column {column} is stored as JSON"),
    ("stored-as-interval", "列 {column} 以时间间隔（{type}）保存", "Column {column} is stored as an interval ({type})"),
    (
        "zone-dropped-utc",
        "列 {column} 以 UTC 时间保存为 {type}，不带时区",
        "Column {column} is stored in UTC as {type}, without zone",
    ),
    (
        "zero-dates-infinity",
        "列 {column} 的零日期保存为 -infinity",
        "Zero dates of column {column} are stored as -infinity",
    ),
    (
        "length-limited",
        "列 {column} 属于键，长度限制为 {length}",
        "Column {column} is part of the key and limited to a length of {length}",
    ),
    ("length-limited.remedy", "更长的值会被目标端拒绝", "Longer values will be refused by the target"),
    (
        "key-too-long",
        "列 {column} 使键超过 {bytes} 字节，目标端无法建立索引",
        "With column {column} the key has more than {bytes} bytes, which the target cannot index",
    ),
    ("key-too-long.remedy", "选择较短的键列", "Choose shorter key columns"),
    (
        "key-not-indexable",
        "列 {column} 的类型 {type} 在目标端不能作为键",
        "Column {column} of type {type} cannot be a key in the target",
    ),
    ("key-not-indexable.remedy", "改选其他键列", "Choose other key columns"),
    (
        "type-must-exist",
        "列 {column} 的类型 {type} 必须已存在于目标库",
        "Type {type} of column {column} must exist in the target",
    ),
    (
        "type-must-exist.remedy",
        "先在目标库创建该类型或安装对应扩展",
        "Create the type or install its extension in the target first",
    ),
    (
        "unsupported-type",
        "列 {column} 的类型无法复制：{reason}",
        "The type of column {column} cannot be replicated: {reason}",
    ),
    ("unsupported-type.remedy", "在映射中不选该列", "Leave the column out of the mapping"),
    (
        "column-reserved",
        "列 {column} 与变更日志文件自带的列重名",
        "Column {column} has the name of one that a log of changes in files has by itself",
    ),
    (
        "column-reserved.remedy",
        "在映射中改名或不选该列，或让目标写出当前行",
        "Rename it in the mapping or leave it out, or let the target write the current rows",
    ),
    # Words inside other texts.
    (
        "refusal.no-replica-identity",
        "没有可用的复制标识（REPLICA IDENTITY），发布后源表将无法更新",
        "it has no usable replica identity, so that publishing it would make its updates fail",
    ),
    (
        "refusal.key-not-in-replica-identity",
        "键列不在复制标识（REPLICA IDENTITY）中",
        "the key is not part of its replica identity",
    ),
    ("refusal.unlogged-table", "是 UNLOGGED 表，没有日志", "it is UNLOGGED"),
    ("refusal.key-column-missing", "键列不存在", "a key column does not exist"),
    ("refusal.key-column-nullable", "键列允许为空", "a key column may be NULL"),
    ("refusal.key-column-unsupported", "键列的类型无法复制", "the type of a key column cannot be replicated"),
    ("refusal.type-missing-in-target", "目标库没有该列的类型", "the target lacks the type of a column"),
    ("refusal.system-versioned", "是系统版本表", "it is a system-versioned table"),
    ("refusal.broken-table", "数据库报告该表已损坏", "the database says that it is broken"),
    ("refusal.foreign-engine", "存储引擎不支持复制", "its storage engine cannot be replicated"),
    ("refusal.compressed-column", "压缩列", "compressed column"),
    ("refusal.spatial-type", "空间类型", "spatial type"),
    ("refusal.unknown-type", "未知类型", "unknown type"),
    ("refusal.schema-changed", "表结构已改变", "its structure changed"),
    (
        "refusal.row-image-not-full",
        "日志中的行不完整（binlog_row_image 不是 FULL）",
        "the log has incomplete rows (binlog_row_image is not FULL)",
    ),
    (
        "refusal.statement-in-log",
        "日志中有语句而不是行（binlog_format 不是 ROW）",
        "the log has a statement instead of rows (binlog_format is not ROW)",
    ),
    ("refusal.xa-transaction", "日志中有分布式事务（XA）", "the log has a distributed transaction (XA)"),
    ("refusal.rollback-to-savepoint", "日志中有回滚到保存点的事务", "the log has a rollback to a savepoint"),
    ("refusal.rollback-in-log", "日志中有已回滚的事务", "the log has a transaction that was rolled back"),
    ("refusal.table-missing", "表不存在", "it does not exist"),
    (
        "refusal.partitioned-table-before-13",
        "分区表需要 PostgreSQL 13 或更高版本",
        "partitioned tables need PostgreSQL 13 or later",
    ),
    (
        "refusal.columns-not-identified",
        "结构在日志读到之前多次变更，无法证明日志中的列对应哪些列",
        "its structure changed more than once before its log was read, and nothing proves which columns the log's are",
    ),
    (
        "refusal.finer-than-microseconds",
        "时间值的小数超过 6 位，其他数据库无法保存；请不复制该列，或把列的精度改为 6 位",
        "a moment has more than 6 digits behind the second, which other databases do not keep; leave the column out, or "
        "give it 6 digits",
    ),
    (
        "refusal.watermark-missing",
        "没有水位列，请在数据源的“水位列”中指定每次修改行都会增大的列",
        "it has none of the watermark columns; name a column that grows with each change in the data source",
    ),
    (
        "refusal.watermark-nullable",
        "水位列允许为空，值为空的行不会被捕获",
        "its watermark column may be NULL, and such rows would not be captured",
    ),
    (
        "refusal.watermark-unordered",
        "水位列的类型或值无法排序",
        "its watermark column has a type or values that do not grow with each change",
    ),
    (
        "refusal.document-unfit",
        "文档中字段的值与该列声明的类型不符；请在数据源的“列”中改用容得下它的类型（如 json），或不声明该字段",
        "a document has a value that is not of the type declared for the column; declare one in the data source that has "
        "it, such as json, or do not declare the field",
    ),
    (
        "refusal.document-keys",
        "_id 的类型不一致，或不是所声明的类型：应全部为 ObjectId、全部为 UUID，或声明为 text、bigint",
        "its ids are not all of one type, or not of the declared one: all ObjectId, all UUID, or as declared, text or bigint",
    ),
    (
        "refusal.document-routed",
        "文档按路由值存储（_routing），不同文档的 _id 可能相同",
        "its documents are stored by a routing value, so that two of them may have one _id",
    ),
    (
        "refusal.feed-missing",
        "表没有变更数据流；请设置表属性 delta.enableChangeDataFeed = true，之后的变更才能捕获",
        "it keeps no feed of its changes: set its property delta.enableChangeDataFeed = true, which holds for later ones",
    ),
    (
        "refusal.feed-unreadable",
        "变更数据流使用了不支持的特性（列映射、删除向量或其他位置的文件）",
        "its feed uses what is not supported: column mapping, deletion vectors or files elsewhere",
    ),
    (
        "refusal.feed-needs-key",
        "没有键，变更无法对应到目标端的行；请为该表指定键列",
        "it has no key by which changes find their rows: name the columns of one",
    ),
    (
        "refusal.feed-lost",
        "尚未读取的版本或其变更数据已被清理，或表已被重建、恢复到更早的版本；请重新全量装载",
        "versions that were not read yet, or their changes, were removed, or the table was made again or reset: load it again",
    ),
    (
        "refusal.watermark-needs-key",
        "没有主键或唯一键，按水位捕获时重复读取的行会重复写入",
        "it has no key, and rows that are read again by watermark would be written twice",
    ),
    (
        "refusal.watermark-too-many-rows",
        "没有水位列的表每轮整体读取，最多 100 万行",
        "it has no watermark and is read completely in each round, which ends at a million rows",
    ),
    (
        "refusal.http-answer",
        "服务的响应与接口文档所述不符",
        "the service's answers do not match the document",
    ),
    (
        "refusal.http-key",
        "接口文档的资源只能以 text 或 bigint 列为键",
        "the key of a resource has columns of text and bigint only",
    ),
    (
        "refusal.file-unreadable",
        "文件内容与所选格式、列或类型不符",
        "a file is not as its format, columns or types say",
    ),
    (
        "refusal.file-column-reserved",
        "列名与文件表自带的列重名（读取时为 _file、_record，写入时为 _op、_commit、_order、_at）",
        "a column has the name of one that each table of files has by itself: _file, _record where files are read; _op, "
        "_commit, _order, _at where they are written",
    ),
    (
        "refusal.files-key",
        "文件表的主键只能是 _file、_record",
        "the key of a table of files is _file, _record",
    ),
    (
        "refusal.message-unreadable",
        "消息与数据源所选的格式或列不符",
        "a message is not as the data source's formats and columns say",
    ),
    (
        "refusal.message-columns",
        "声明的列名重复、不可用或与每张表自带的列重名",
        "names of declared columns are repeated, cannot be used, or are those that each table has by itself",
    ),
    ("refusal.messages-key", "主题的主键只能是 _partition、_offset", "the key of a topic is _partition, _offset"),
    (
        "refusal.messages-lost",
        "消息在读取之前已从主题中删除，请延长主题的保留时间后重新装载",
        "messages were deleted from the topic before they were read; let the topic keep them longer, then load it again",
    ),
    (
        "refusal.topic-replaced",
        "主题被重建或丢失了消息，请重新装载",
        "the topic was created again or lost messages; load it again",
    ),
    (
        "refusal.stream-unsuitable",
        "该流可能在中间丢失未读取的消息而无法发现；请使用保留策略为 limits、且不启用按主题限制、单条消息有效期和 rollup 的流",
        "the stream may lose unread messages in its midst unnoticed; use one with the retention limits, and without a "
        "limit for each subject, a time to live of single messages and rollups",
    ),
    (
        "refusal.messages-declared-key",
        "该表的主键须在数据源的“主键列”中声明",
        "the key of such a table is declared in the data source, as key columns",
    ),
    (
        "refusal.session-lost",
        "代理丢失了会话，可能缺少消息；请检查代理的持久化和会话保留时间，然后接受缺口并继续",
        "the broker lost the session, so messages may be missing; check that it persists sessions and for how long, then "
        "accept the gap and continue",
    ),
    (
        "refusal.subscription-refused",
        "代理未以 QoS 1 接受该订阅（共享订阅不支持）",
        "the broker did not accept the subscription with QoS 1 (shared ones are not supported)",
    ),
    (
        "refusal.queue-shared",
        "队列还有其他消费者，它们取走的消息不会到达这里；请让平台独自读取该队列（例如为其绑定单独的队列），然后接受缺口并继续",
        "the queue has other consumers, and messages that they get do not come here; let the platform read it alone (bind "
        "a queue of its own), then accept the gap and continue",
    ),
    (
        "refusal.queue-unsuitable",
        "该队列与连接的“读取对象”不符（流须选 streams，经典队列和仲裁队列须选 queues），或由其他连接独占",
        "it is not what the connection reads (streams for a stream, queues for classic and quorum queues), or another "
        "connection's own",
    ),
    (
        "refusal.stream-gap",
        "流中有没有消息的偏移量：可能是 AMQP 读取不到的压缩批，也可能是客户端保存在流中的偏移量。确认没有生产者压缩批后，"
        "将连接的“流的偏移量空缺”改为 pass，或重新装载",
        "the stream has offsets without a message: a compressed batch, which AMQP does not hand out, or an offset that a "
        "client stored in the stream. If no producer compresses batches, set Offsets without a message to pass in the "
        "connection; else load the table again",
    ),
    (
        "refusal.stream-uncounted",
        "服务器不统计流中写入过的条目（Redis 7.0 之前的版本），丢失未读取的条目无从发现；请使用 Redis 7.0 或更高版本",
        "the server does not count the entries of its streams (before Redis 7.0), so that lost ones could not be noticed; "
        "use Redis 7.0 or newer",
    ),
    ("refusal.topic-denied", "用户没有读取该主题的权限", "the user may not read the topic"),
    ("refusal.table-renamed", "表已被重命名", "it was renamed"),
    (
        "refusal.table-dropped",
        "表已在源端被删除，目标表保持不变",
        "it was dropped in the source; the target table is kept",
    ),
    ("refusal.table-replaced", "另一张表取代了它", "another table replaced it"),
    (
        "refusal.publication-changed",
        "有人手动更改了本平台的发布（PUBLICATION）：该表曾被移出，或只发布其部分列、部分行，期间的变化没有记录",
        "the platform's publication was changed by hand: the table was taken out, or only a part of its rows or columns "
        "is published, so that changes are missing",
    ),
    (
        "refusal.rows-moved",
        "分区操作移动或删除了行，而日志中没有这些行",
        "rows were added or removed with partitions, which the log does not contain",
    ),
    (
        "refusal.values-rewritten",
        "列被带表达式地修改（USING、生成列），已有行的值可能已改变，而日志中没有这些变化",
        "a column was altered by an expression (USING, computed): values of rows may have changed, which the log does not "
        "contain",
    ),
    (
        "refusal.values-may-change",
        "在非严格模式下修改了表，服务器可能已把放不下的值改成别的值，而日志中没有这些变化",
        "altered without strict mode: the server may have changed values that did not fit, which the log does not contain",
    ),
    (
        "refusal.labels-renamed",
        "枚举类型的标签被重命名，已有行的值随之改变，而日志中没有这些变化",
        "labels of an enum type were renamed: values of rows changed, which the log does not contain",
    ),
    (
        "refusal.type-altered",
        "复合类型被修改，已有行的值随之改变，而日志中没有这些变化",
        "a composite type was altered: values of rows changed, which the log does not contain",
    ),
    (
        "refusal.foreign-partition",
        "有外部表作为分区，其行的变化不在日志中",
        "a partition is a foreign table, whose changes the log does not contain",
    ),
    (
        "refusal.key-deferrable",
        "键由可延迟约束保证唯一，同一事务内多行可以有相同的键值",
        "only a deferrable constraint keeps the key unique: rows may share it within a transaction",
    ),
    ("refusal.key-dropped", "标识行的键已不再是主键或唯一键", "the key that identifies its rows is no key any more"),
    (
        "refusal.statement-not-understood",
        "日志中有无法解析的结构变更语句",
        "the log has a change of its structure that is not understood",
    ),
    (
        "refusal.structure-misread",
        "由日志推导的表结构与数据库中的不一致",
        "its structure differs from the result of the log's statements",
    ),
    (
        "refusal.target-needs-key",
        "没有键，而目标按键存放每一行",
        "it has no key, and the target stores each row by its key",
    ),
    (
        "refusal.target-key-differs",
        "目标中已有同名的表，其键不同",
        "the target has a table of that name with another key",
    ),
    (
        "refusal.keys-of-others",
        "目标中已有其他程序写入的同名键，请更换键名模板或目标表名",
        "the target has keys of such names that others wrote; choose another key template or table name",
    ),
    (
        "refusal.topic-of-others",
        "已有同名主题且其中有消息，由其他程序写入。请更换主题名称或目标表名",
        "a topic of that name exists and has messages that others wrote; choose another topic name or table name",
    ),
    (
        "refusal.topic-settings",
        "主题的设置不适用：cleanup.policy 须为 compact，或 retention.ms 与 retention.bytes 均为 -1；max.message.bytes 至少 524288",
        "the topic has unsuitable settings: it needs cleanup.policy=compact, or retention.ms and retention.bytes of -1, and "
        "max.message.bytes of at least 524288",
    ),
    (
        "refusal.topic-partitions",
        "主题的分区数已改变，同一主键的消息会分散到不同分区。请重新装载该表并清除目标（drop）",
        "the topic's number of partitions has changed, so messages of a key would go to another partition; load the table "
        "again with the clean mode drop",
    ),
    (
        "refusal.topic-name",
        "主题名称最多 249 个字符，且 zcbus.state 为平台保留。请更换目标表名",
        "topic names have at most 249 characters, and zcbus.state is reserved; choose another target table name",
    ),
    (
        "refusal.index-of-others",
        "目标中已有同名索引，且不属于该表：由其他程序创建，或属于名称仅大小写不同的表。请更换索引前缀或目标表名",
        "the target has an index of that name that is not this table's: another program made it, or it is of a table whose "
        "name differs in case alone; choose another index prefix or table name",
    ),
    (
        "refusal.table-of-others",
        "目标中已有其他程序创建的同名表，请更换目标表名或数据库",
        "the target has a table of that name that another program made; choose another table name or database",
    ),
    (
        "refusal.stored-name-long",
        "目标不接受这么长的表名；英文字母、数字和下划线以外的字符以编码保存，会使表名变长。请更换目标表名",
        "the target takes no table name of that length; characters other than letters of English, digits and underscores are "
        "stored as codes, which makes it longer; choose another target table name",
    ),
    (
        "refusal.folder-of-others",
        "目标中已有同名文件夹，其中有其他程序写入的文件。请更换目标表名或文件夹",
        "the target has a folder of that name with files that another program wrote; choose another table name or folder",
    ),
    (
        "refusal.files-missing",
        "变更日志的一个文件已不存在，而补全或比对行需要读取它。请恢复该文件，或重新装载该表",
        "a file of the change log is not there any more, but is needed to complete or compare rows; bring it back, or load "
        "the table again",
    ),
    (
        "refusal.target-not-declared",
        "接口文档的 targets 中没有该表，也没有适用于所有表的“*”",
        "the document's targets have neither this table nor `*` for all tables",
    ),
    (
        "refusal.target-not-emptied",
        "目标服务中的行无法一次清空（TRUNCATE 或装载前清理）。请将清理方式设为“不清理”，并在服务中自行删除多余的行",
        "rows of this service cannot be emptied, by TRUNCATE or before a load; choose not to clean, and delete superfluous "
        "rows in the service",
    ),
    (
        "refusal.target-no-exchange",
        "已发送的行无法在装载完成后整体替换。请直接装载到目标表",
        "rows that were sent cannot be exchanged at the end of a load; load into the table itself",
    ),
    (
        "refusal.target-not-readable",
        "无法比对：接口文档中没有同名的资源（resources），已发送的行不能读回",
        "it cannot be compared: the document has no resource of that name by which rows are read back",
    ),
    ("refusal.target-column-missing", "目标表缺少列", "the target table lacks a column"),
    ("refusal.not-readable", "没有读取权限", "it may not be read"),
    ("refusal.not-owner", "用户不是该表的所有者，无法发布", "the user does not own it and so cannot publish it"),
    ("side.source", "源端", "source"),
    ("side.target", "目标端", "target"),
    ("check.log-retention", "日志保留", "Log retention"),
    ("check.local-infile", "批量装载（LOCAL INFILE）", "Bulk loading (LOCAL INFILE)"),
)

ZH = {key: chinese for key, chinese, _ in _TEXTS}
EN = {key: english for key, _, english in _TEXTS}
