"""Ways of delivery, one file for each family. A way sends one notice and raises what hinders it: a TransientError is
tried again, a TerminalError is not."""

from collections.abc import Mapping

from zcbus.control.features.notification.ways import chat, mail, pagerduty, webhook
from zcbus.control.features.notification.ways.base import Notice, Receiver, Send, Way

SENDERS: Mapping[Way, Send] = {
    Way.MAIL: mail.send,
    Way.WEBHOOK: webhook.send,
    Way.DINGTALK: chat.send_to_dingtalk,
    Way.WECOM: chat.send_to_wecom,
    Way.FEISHU: chat.send_to_feishu,
    Way.SLACK: chat.send_to_slack,
    Way.TEAMS: chat.send_to_teams,
    Way.PAGERDUTY: pagerduty.send,
}

__all__ = ["SENDERS", "Notice", "Receiver", "Way"]
