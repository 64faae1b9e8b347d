"""Messages to callers, in both languages. Database messages stay in the log."""

from zcbus.kit.errors import ZcbusError

_ZH = {
    "caller-not-proven": "未能确认调用方身份（{why}）",
    "address-refused": "该应用不允许从地址 {address} 调用",
    "app-expired": "该应用已过期",
    "api-not-granted": "该应用没有调用此接口的授权",
    "api-unknown": "路径 {path} 没有已发布的接口",
    "body-invalid": "请求体应为 JSON 对象，值为文本、数字、布尔值或它们的列表",
    "body-too-large": "请求体超过 {bytes} 字节",
    "page-invalid": "{name} 的值不正确",
    "api-parameter-invalid": "参数 {name} 的值不正确，应为 {expected}",
    "api-parameter-missing": "缺少参数 {name}",
    "api-parameter-unknown": "没有参数 {name}",
    "quota-spent": "调用次数已达每分钟 {limit} 次，请在 {seconds} 秒后重试",
    "gateway-busy": "数据源的连接都在使用中，请稍后重试",
    "source-unavailable": "数据源暂时无法访问，请稍后重试",
    "source-full": "数据源的磁盘已满，请稍后重试",
    "query-timed-out": "查询超过 {milliseconds} 毫秒，已中止",
    "answer-too-large": "结果超过 {bytes} 字节，请缩小查询范围或分页",
    "": "查询未能执行，原因见接口日志",
}
_EN = {
    "caller-not-proven": "The caller did not prove who it is ({why})",
    "address-refused": "The app may not call from {address}",
    "app-expired": "The app has expired",
    "api-not-granted": "The app has no grant for this API",
    "api-unknown": "No API is published at {path}",
    "body-invalid": "The body must be a JSON object of texts, numbers, booleans and lists of them",
    "body-too-large": "The body has more than {bytes} bytes",
    "page-invalid": "{name} has a wrong value",
    "api-parameter-invalid": "Parameter {name} has a wrong value: {expected} expected",
    "api-parameter-missing": "Parameter {name} is missing",
    "api-parameter-unknown": "The query has no parameter {name}",
    "quota-spent": "{limit} calls a minute are used up; call again in {seconds} s",
    "gateway-busy": "All connections of the data source are in use; call again later",
    "source-unavailable": "The data source cannot be reached now; call again later",
    "source-full": "The disk of the data source is full; call again later",
    "query-timed-out": "The query took more than {milliseconds} ms and was ended",
    "answer-too-large": "The rows hold more than {bytes} bytes; ask for fewer or by pages",
    "": "The query could not be run; the API log says why",
}


def language_of(accepted: str) -> str:
    """The language (`zh` or `en`) that an Accept-Language header names first; `zh` if it names neither."""
    positions = {name: accepted.lower().find(name) for name in ("zh", "en")}
    named = {name: position for name, position in positions.items() if position >= 0}
    return min(named, key=lambda name: named[name]) if named else "zh"


def text_of(error: ZcbusError, language: str) -> str:
    """The message of an error for callers."""
    texts = _EN if language == "en" else _ZH
    return texts.get(error.code, texts[""]).format_map(error.facts)
