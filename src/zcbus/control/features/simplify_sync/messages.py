"""Text about simplified sync."""

ZH = {
    "simplify-one-database": "请只选择同一个源端数据库中的模式和表",
    "simplify-target-schema": "请选择目标端的一个模式",
    "simplify-other-tenant": "源端和目标端属于不同的租户",
    "simplify.carried": "链路 {link} 已在同步到该目标表",
    "simplify.conflict": "多张源表对应同一张目标表 {table}，请用前缀或后缀区分，或取消选择",
}

EN = {
    "simplify-one-database": "Choose schemas and tables of one source database only",
    "simplify-target-schema": "Choose a schema of the target",
    "simplify-other-tenant": "Source and target belong to different tenants",
    "simplify.carried": "Link {link} carries it into that table already",
    "simplify.conflict": "Several source tables go to {table}: distinguish them by a prefix or suffix, or choose one",
}
