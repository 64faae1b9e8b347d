"""Every recorded action has a title."""

from zcbus.control.features.registry import FEATURES
from zcbus.control.platform.action_titles import ACTION_KINDS, action_title, actions_titled, titled_actions
from zcbus.control.platform.call import Rules


def test_every_recorded_call_has_a_title() -> None:
    rules = [getattr(route.endpoint, "rules", None) for feature in FEATURES for route in feature.api.router.routes]
    recorded = {one.action for one in rules if isinstance(one, Rules) and one.audited}
    assert len(recorded) > 100
    assert recorded - titled_actions() == set()


def test_an_action_has_one_kind_and_both_titles() -> None:
    actions = [action for kind in ACTION_KINDS.values() for action in kind.actions]
    assert len(actions) == len(set(actions))
    assert all(title.zh and title.en for kind in ACTION_KINDS.values() for title in kind.actions.values())


def test_a_title_is_found_in_either_language() -> None:
    assert action_title("zh", "sync-link_pause") == "暂停链路"
    assert action_title("en", "sync-link_pause") == "Pause link"
    assert action_title("en", "gone_call") == "gone_call"
    assert actions_titled("pause LINK") == actions_titled("暂停链路") == ["sync-link_pause"]
