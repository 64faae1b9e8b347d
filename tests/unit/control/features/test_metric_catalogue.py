"""The catalogue of metrics."""

from zcbus.control.features.metric.catalogue import METRICS, MetricType, SubjectKind
from zcbus.control.features.metric.sampling import COUNTED
from zcbus.control.store.metrics.series import RollUp
from zcbus.protocol import agent, reports


def test_names_are_unique_and_come_from_fields_of_reports() -> None:
    for metrics in METRICS.values():
        assert len({metric.name for metric in metrics}) == len(metrics)
        for metric in metrics:
            message, field = metric.source.split(".")
            model = getattr(reports, message, None) or getattr(agent, message)
            assert field in model.model_fields, metric.source


def test_counters_are_summed_and_what_is_counted_is_a_counter() -> None:
    for kind, metrics in METRICS.items():
        for metric in metrics:
            assert (metric.type is MetricType.COUNTER) == (metric.roll_up is RollUp.SUM)
        counters = {metric.name for metric in metrics if metric.type is MetricType.COUNTER}
        assert set(COUNTED.get(kind, ())) <= counters


def test_several_subjects_together_have_the_longest_time_the_mean_share_and_the_sum_of_all_else() -> None:
    found = {kind: {metric.name: metric.across for metric in metrics} for kind, metrics in METRICS.items()}
    assert found[SubjectKind.CHANNEL]["lag_ms"] is RollUp.MAX
    assert found[SubjectKind.CHANNEL]["inserts"] is RollUp.SUM
    assert found[SubjectKind.CHANNEL]["waiting_bytes"] is RollUp.SUM
    assert found[SubjectKind.HOST]["cpu_percent"] is RollUp.MEAN
    assert found[SubjectKind.HOST]["disk_used"] is RollUp.SUM
