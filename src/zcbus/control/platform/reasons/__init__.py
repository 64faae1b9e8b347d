"""Why something is as it is: codes and facts of agents, workers and checks, as text for people in both languages.

Words stand in `texts/`, by what they speak of.
"""

from zcbus.control.platform.reasons.record import ReasonRecord, ReasonTexts

__all__ = ["ReasonRecord", "ReasonTexts"]
