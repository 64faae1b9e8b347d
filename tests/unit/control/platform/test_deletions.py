"""Every call that deletes says beforehand what depends on the object, or why nothing can."""

from typing import get_args

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.dependants.deletions import DELETIONS
from zcbus.control.features.dependants.schemas import Deleting
from zcbus.control.features.registry import FEATURES
from zcbus.control.platform.call import Rules
from zcbus.control.platform.principal import Operation

BASE = "/api/zcbus/"
NOTHING_DEPENDS = {
    "account/menu/group/delete": "a group of menu entries is deleted only while it is empty: its page shows them",
    "account/service-account/revoke": "only programs outside have its token, and they are not known",
    "account/user/second-factor/remove": "it belongs to one user, who is named",
    "account/user/avatar/remove": "one's own picture",
    "account/second-factor/authenticator/remove": "one's own",
    "account/second-factor/key/remove": "one's own",
    "common/dictionary/delete": "its items are part of it and counted; names of it are in no other record",
    "data-service/app/delete": "its grants are part of it; who calls with its key is outside",
    "policy/distribute/revoke": "the customers from whom it is taken are what is chosen",
    "policy/sheet/remove": "a draft's table; versions keep theirs",
    "resource/article/delete": "the shipped page is read again; pages name each other by text",
    "resource/recycleBin/delete": "it is deleted already",
    "resource/recycleBin/empty": "it is deleted already",
    "resource/translation/reset/all": "the shipped texts count again",
    "stream/computation/delete": "its table stays",
    "publish/table/withdraw": "a table with subscribers is refused; its sheet counts them",
    "resource/article/withdraw": "the article stays as a draft",
    "subscribe/table/unbind": "the tables are what is chosen; the target's data stays, a policy delivers again",
    "subscribe/etl/rule/delete": "a part of one table's settings",
    "sys/notice/receiver/delete": "receivers name what they are for, and nothing names them",
    "system/alert-rule/delete": "its alerts stay as history",
    "system/zbmq/topic/delete": "`topic/preview` says who reads it, and its name must be typed",
    "upload/delete": "drivers and pictures have files of their own purposes",
}


def deleting_calls() -> dict[str, Rules]:
    """Rules by path, of calls that are named for a deletion or need the proof of one."""
    found = {}
    for feature in FEATURES:
        for route in feature.api.router.routes:
            path, rules = getattr(route, "path", ""), getattr(getattr(route, "endpoint", None), "rules", None)
            if isinstance(rules, Rules) and rules.changes and (_named(path) or _proved(route)):
                found[path.removeprefix(BASE)] = rules
    return found


def _named(path: str) -> bool:
    return path.rsplit("/", 1)[-1] in ("delete", "remove", "revoke", "unbind", "withdraw")


def _proved(route: object) -> bool:
    body = getattr(getattr(route, "body_field", None), "field_info", None)
    annotation = getattr(body, "annotation", None)
    return isinstance(annotation, type) and issubclass(annotation, DeletionProof)


def test_every_deletion_says_what_depends_on_its_object_or_why_nothing_does() -> None:
    calls = deleting_calls()
    assert len(calls) > 35
    assert sorted(calls) == sorted([*DELETIONS, *NOTHING_DEPENDS])
    assert set(get_args(Deleting)) == set(DELETIONS)


def test_who_may_delete_may_ask() -> None:
    calls = deleting_calls()
    for path, deletion in DELETIONS.items():
        assert {(key, Operation.DELETE) for key in deletion.menu_keys} == set(calls[path].access.pairs), path
