"""Text about users."""

ZH = {
    "user-name-empty": "用户名不能为空",
    "document-type-missing": "请选择证件类型",
    "role-missing": "请选择角色",
    "id-number-missing": "证件号码不能为空",
    "id-number-length": "身份证号码应为 15 位或 18 位",
    "id-number-invalid": "身份证号码不正确",
    "phone-invalid": "手机号码不正确",
    "email-invalid": "邮箱格式不正确",
    "new-user-cancelled": "新用户的状态只能是正常或停用",
    "user-built-in": "{name} 是内置账号，不能修改其用户名、角色和状态，也不能删除",
    "user-self": "不能修改或删除自己的账号 {name}：用户名、角色、状态、部门和租户由其他管理员修改",
    "own-second-factor": "请在用户菜单的“两步验证”中凭密码和验证码关闭自己的两步验证",
    "user-above": "账号 {name} 的权限超出您自己的权限，不能修改",
    "role-not-usable": "角色 {code} 不能用于租户 {customer}",
}

EN = {
    "user-name-empty": "Username cannot be empty",
    "document-type-missing": "Please select document type",
    "role-missing": "Please select role",
    "id-number-missing": "ID number cannot be empty",
    "id-number-length": "ID number should be 15 or 18 digits",
    "id-number-invalid": "ID number invalid",
    "phone-invalid": "Phone number invalid",
    "email-invalid": "Email address invalid",
    "new-user-cancelled": "A new user is normal or disabled",
    "user-built-in": "{name} is a built-in account: its name, role and status are locked, and it cannot be deleted",
    "user-self": "Another user must change name, role, status, department and tenant of your own account {name}",
    "own-second-factor": "Turn your own two-step verification off in the user menu, with password and code",
    "user-above": "The account {name} may do more than you: you cannot change it",
    "role-not-usable": "The role {code} cannot be used by the tenant {customer}",
}
