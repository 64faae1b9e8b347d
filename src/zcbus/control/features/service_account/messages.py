"""Text about service accounts."""

ZH = {
    "parameter.api_token_days": "API 令牌的最长有效天数，对之后创建或轮换的令牌生效",
    "service-account-name-taken": "本租户已有名为 {name} 的服务账号",
    "service-account-lifetime": "有效期须为 1 至 {longest} 天（系统参数 api_token_days）",
    "service-account-scope": "服务账号 {name} 的权限范围为空，或超出其所有者的权限",
    "service-account-foreign": "服务账号 {name} 属于 {owner}，只有所有者可以修改或轮换；有权限的用户可以吊销",
    "service-account-session-needed": "API 令牌不能创建、修改或轮换服务账号，请登录控制台操作",
    "service-accounts-full": "本租户的服务账号已达上限 {most} 个，请先吊销不用的账号",
    "token-unknown": "令牌 {id} 不存在或已失效",
}

EN = {
    "parameter.api_token_days": "Days after which an API token made or rotated from now on ends at the latest",
    "service-account-name-taken": "This tenant has a service account named {name} already",
    "service-account-lifetime": "A token lives from 1 to {longest} days (system parameter api_token_days)",
    "service-account-scope": "The scope of the service account {name} is empty, or exceeds its owner's rights",
    "service-account-foreign": "The service account {name} belongs to {owner}, who alone changes and rotates it; "
    "others with the right to delete can revoke it",
    "service-account-session-needed": "An API token cannot make, change or rotate service accounts; sign in to do so",
    "service-accounts-full": "This tenant has {most} service accounts, the most there can be; revoke unused ones first",
    "token-unknown": "Token {id} not found, or already revoked",
}
