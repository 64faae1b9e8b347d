"""Text about publishing."""

ZH = {
    "json-topic-taken": "JSON 主题 {name} 已被其他链路使用",
    "node-name-taken": "已存在名为 {name} 的发布节点",
    "node-of-link": "发布节点 {name} 由同步链路 {link} 控制，请在该链路中操作",
    "node-has-subscribers": "发布节点 {name} 仍有 {subscribers} 个订阅者，请先移除订阅",
    "node-action-refused": "发布节点 {name} 当前状态为 {state}，不能执行 {action}",
    "data-source-missing": "请先配置数据源",
    "node-place-fixed": "发布节点的数据库不能更换（{option}），请新建一个节点",
    "key-column-unknown": "表 {table} 没有以下列：{columns}",
    "append-only-has-key": "表 {table} 有键（{columns}），不能以只追加方式发布",
    "append-only-of-keyed": "该表有键，不能以只追加方式发布",
    "field.append-only-with-key": "只追加与键列不能同时选择",
    "table-published-already": "该表已发布",
    "table-not-in-source": "源库中没有该表",
    "table-not-published": "该表未由此节点发布",
    "table-has-subscribers": "该表已被订阅，请在订阅端重新加载或移除",
    "table-action-impossible": "该表当前状态不允许此操作",
}

EN = {
    "json-topic-taken": "JSON topic {name} belongs to another link",
    "node-name-taken": "A publish node named {name} already exists",
    "node-of-link": "Publish node {name} is steered by the sync link {link}: do it there",
    "node-has-subscribers": "Publish node {name} still has {subscribers} subscriber(s): remove those first",
    "node-action-refused": "Publish node {name} is {state}; {action} is not possible",
    "data-source-missing": "Configure the data source first",
    "node-place-fixed": "A publish node keeps its database ({option}); make another node instead",
    "key-column-unknown": "Table {table} has no such columns: {columns}",
    "append-only-has-key": "Table {table} has a key ({columns}) and cannot be published append-only",
    "append-only-of-keyed": "The table has a key and cannot be published append-only",
    "field.append-only-with-key": "Append-only and key columns exclude each other",
    "table-published-already": "The table is published already",
    "table-not-in-source": "The source has no such table",
    "table-not-published": "This node does not publish the table",
    "table-has-subscribers": "The table is received by a subscriber: load it again or remove it there",
    "table-action-impossible": "Not possible in the table's present state",
}
