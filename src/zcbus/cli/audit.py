"""`zcbus audit …`: the proof of the operation log, with direct access to the metadata store."""

import argparse
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from zcbus.cli.accounts import open_services
from zcbus.cli.http import language
from zcbus.cli.output import print_json

if TYPE_CHECKING:
    from zcbus.control.features.operation_log.proof import Break, Proof
    from zcbus.control.platform.services import Services


def add_commands(commands: Any) -> None:
    """Add `audit` with its verbs."""
    audit = commands.add_parser("audit", help="the operation log's proof, on the platform's own host")
    verbs = audit.add_subparsers(required=True, metavar="VERB")
    verify = verbs.add_parser(
        "verify",
        help="check that no record was changed, deleted, inserted or cut off",
        description="Exit code 1 if the operation log is not as it was written; says at which records.",
    )
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(run=_verify)
    accept = verbs.add_parser(
        "accept",
        help="after a restore from a backup: take the end of the operation log for the last one",
        description="The operation log keeps a record with both ends. Run it on the host of every replica.",
    )
    accept.set_defaults(run=_accept)


def _verify(options: argparse.Namespace) -> int:
    from zcbus.control.features.operation_log.proof import verify

    with open_services() as services:
        proof = verify(services)
        if options.json:
            print_json({"intact": not proof.breaks, **asdict(proof)})
        else:
            print("\n".join(_lines(services, proof)))
    return 1 if proof.breaks else 0


def _accept(_: argparse.Namespace) -> int:
    from zcbus.control.features.operation_log.proof import accept
    from zcbus.control.features.operation_log.verification import forget

    with open_services() as services:
        accept(services)
        with services.database.write() as store:
            forget(store, services)
        print(services.catalogue.text(language(), "audit.accepted"))
    return 0


def _lines(services: "Services", proof: "Proof") -> list[str]:
    def text(key: str, **facts: object) -> str:
        return services.catalogue.text(language(), f"audit.{key}", **facts)

    def line(one: "Break") -> str:
        reason = text(f"reason.{one.reason}")
        return text(
            "break", sequence=_or_dash(one.sequence), record=one.record_id or "–", at=_time(one.at), reason=reason
        )

    extent = {"records": proof.records, "links": proof.links, "since": _time(proof.since), "until": _time(proof.until)}
    result = text("broken", count=len(proof.breaks), **extent) if proof.breaks else text("proved", **extent)
    lines = [result, *map(line, proof.breaks)]
    if proof.earlier_records:
        lines.append(text("began", at=_time(proof.began_at), records=proof.earlier_records))
    if proof.removed:
        lines.append(text("removed", count=proof.removed, at=_time(proof.removed_at)))
    has_end = not any(one.reason == "end-missing" for one in proof.breaks)
    if proof.kept_sequence is None:
        lines.append(text("not-kept"))
    elif has_end:
        lines.append(text("kept", sequence=proof.kept_sequence))
    return lines


def _or_dash(value: int | None) -> str:
    return "–" if value is None else str(value)


def _time(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S UTC") if moment else "–"
