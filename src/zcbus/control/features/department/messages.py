"""Text about departments."""

ZH = {
    "department-name-taken": "同一上级下已有部门 {name}",
    "department-in-itself": "部门 {name} 不能放在自己或自己的下级之下",
    "department-in-use": "部门 {name} 下还有 {departments} 个下级部门和 {users} 个用户，不能删除",
}

EN = {
    "department-name-taken": "Department {name} already exists beneath the same parent",
    "department-in-itself": "Department {name} cannot be beneath itself",
    "department-in-use": "The department {name} still has {departments} departments and {users} users",
}
