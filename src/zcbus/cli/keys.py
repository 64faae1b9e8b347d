"""`zcbus key …`: the master keys, on the host of a control plane, while it runs or not."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zcbus.cli.accounts import open_services
from zcbus.cli.http import language
from zcbus.cli.output import ProgressLine, print_json, print_table

if TYPE_CHECKING:
    from zcbus.control.features.master_key.status import KeyState
    from zcbus.control.platform.services import Services


def add_commands(commands: Any) -> None:
    """Add `key` with its verbs."""
    key = commands.add_parser("key", help="the master keys, on the platform's own host")
    verbs = key.add_subparsers(required=True, metavar="VERB")
    rotate = verbs.add_parser(
        "rotate",
        help="make a new master key and encrypt everything stored with it",
        description="Control planes may run. A rotation that was interrupted is continued.",
    )
    rotate.add_argument("--wait", type=float, default=120.0, metavar="SECONDS", help="for other control planes (120)")
    rotate.set_defaults(run=_rotate)
    status = verbs.add_parser("status", help="all master keys, what needs them, and which control planes have them")
    status.add_argument("--json", action="store_true", help="print JSON")
    status.set_defaults(run=_status)
    retire = verbs.add_parser(
        "retire",
        help="remove a master key that nothing stored needs",
        description="Backups made before its rotation and texts of the encryption tool still need it: --save keeps it.",
    )
    retire.add_argument("id", metavar="ID")
    retire.add_argument("--save", type=Path, metavar="FILE", help="write the key into this new file first")
    retire.set_defaults(run=_retire)
    wrap = verbs.add_parser("wrap", help="store the keys of the key file encrypted by Vault (ZCBUS_KEYS_TRANSIT)")
    wrap.set_defaults(run=_wrap)


def _rotate(options: argparse.Namespace) -> int:
    from zcbus.control.features.master_key.rotation import Waiting, rotate

    with open_services() as services, ProgressLine() as line:
        done = rotate(
            services, Waiting(options.wait, say=lambda step, count: line.show(_text(services, step, count=count)))
        )
        line.show("")
        print(_text(services, "done", key=done.key, rows=done.rows))
    return 0


def _status(options: argparse.Namespace) -> int:
    from zcbus.control.features.master_key.status import holders, key_states

    with open_services() as services:
        keys, running = key_states(services), [asdict(one) for one in holders(services)]
        shown = [_shown(services, one) for one in keys]
    if options.json:
        return print_json({"keys": shown, "controlPlanes": running})
    print_table(("key", "texts", "state"), [(one["key"], one["texts"], one["state"]) for one in shown])
    if running:
        print()
        columns = ("host", "seals_with", "keys", "reported_at")
        print_table(columns, [[_cell(one[column]) for column in columns] for one in running])
    return 0


def _retire(options: argparse.Namespace) -> int:
    from zcbus.control.features.master_key.retirement import refuse_if_needed, retire
    from zcbus.control.platform.key_file import key_line
    from zcbus.kit.files import write_private_file

    with open_services() as services:
        key = refuse_if_needed(services, options.id)
        if options.save is not None:
            write_private_file(options.save, key_line(options.id, key))
            print(_text(services, "saved", path=options.save))
        retire(services, options.id)
        source = services.secrets.source
        print(_text(services, "retired", key=options.id, path=source.name if source else ""))
    return 0


def _wrap(_: argparse.Namespace) -> int:
    from zcbus.control.features.master_key.wrapping import wrap

    with open_services() as services:
        print(_text(services, "wrapped", count=wrap(services)))
    return 0


def _shown(services: "Services", state: "KeyState") -> dict[str, object]:
    """A key as a row: its state in words."""
    if not state.held:
        words = _text(services, "missing")
    elif state.seals:
        words = _text(services, "seals")
    elif state.refusal is not None:
        words = services.catalogue.error_text(language(), state.refusal)
    else:
        words = _text(services, "retirable")
    return {"key": state.key, "held": state.held, "seals": state.seals, "texts": state.texts, "state": words}


def _text(services: "Services", name: str, **facts: object) -> str:
    return services.catalogue.text(language(), f"key.{name}", **facts)


def _cell(value: object) -> object:
    return ", ".join(value) if isinstance(value, list) else value
