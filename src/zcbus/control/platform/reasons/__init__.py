"""Reasons of agents, workers and checks, as text for people in both languages.

The texts are in `texts/`, by subject.
"""

from zcbus.control.platform.reasons.record import ReasonRecord, ReasonTexts

__all__ = ["ReasonRecord", "ReasonTexts"]
