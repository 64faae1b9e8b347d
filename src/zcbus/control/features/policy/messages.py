"""Text about policies."""

ZH = {
    "policy-name-taken": "已存在名为 {name} 的策略",
    "policy-in-use": "策略 {name} 已分发给 {customers} 个订阅者，请先撤销",
    "policy-empty": "策略 {name} 中没有表",
    "policy-unchanged": "策略 {name} 的草稿与版本 {version} 相同，无需生成新版本",
    "policy-node-gone": "策略 {name} 的发布节点已删除",
    "policy-node-gone.remedy": "请用另一发布节点新建策略；可先导出该策略的文件再修改节点名称",
    "policy-tables-unknown": "没有这些表：{tables}",
    "policy-tables-unknown.remedy": "请先在策略的发布节点中发布这些表",
    "policy-version-retired": "策略 {name} 的版本 {version} 已停用，不能分发",
    "policy-delivery-refused": "预检查发现 {errors} 个错误，该订阅者保持原状：{first}",
    "policy-delivery-refused.remedy": "请在分发预览中查看全部检查结果",
    "policy-delivery-overtaken": "主控 {master} 的表在预检查后被修改，请重新分发",
    "policy-master-of-another-node": "主控 {master} 不接收策略的发布节点 {node} 的表",
    "policy-delivered-elsewhere": "{customer} 已通过主控 {master} 获得该策略，请先撤销",
    "policy-nothing-to-roll-back": "{customer} 没有上一版本，不能回滚",
    "policy-table-of-another": "该表属于另一策略的分发",
    "policy-table-of-another.remedy": "请从其中一个策略中移除该表，或撤销另一策略",
}

EN = {
    "policy-name-taken": "There is a policy {name} already",
    "policy-in-use": "{customers} customers have policy {name}: revoke it first",
    "policy-empty": "Policy {name} has no tables",
    "policy-unchanged": "The draft of policy {name} is the same as version {version}: there is nothing to release",
    "policy-node-gone": "The publish node of policy {name} was deleted",
    "policy-node-gone.remedy": "Make a policy on another publish node; export this one as a file and change the node's "
    "name in it",
    "policy-tables-unknown": "There are no such tables: {tables}",
    "policy-tables-unknown.remedy": "Publish them on the policy's node first",
    "policy-version-retired": "Version {version} of policy {name} is retired and cannot be distributed",
    "policy-delivery-refused": "The pre-check found {errors} errors; the customer keeps what it has: {first}",
    "policy-delivery-refused.remedy": "The preview of the distribution shows all findings",
    "policy-delivery-overtaken": "The tables of master {master} changed after the pre-check: distribute again",
    "policy-master-of-another-node": "Master {master} does not receive tables of the policy's publish node {node}",
    "policy-delivered-elsewhere": "{customer} has the policy through master {master}: revoke it there first",
    "policy-nothing-to-roll-back": "{customer} has had no version before this one",
    "policy-table-of-another": "The table belongs to the delivery of another policy",
    "policy-table-of-another.remedy": "Take the table out of one of the policies, or revoke the other one",
}
