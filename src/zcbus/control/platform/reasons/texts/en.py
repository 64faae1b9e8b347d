"""Reasons that agents and workers give, in English: what happened, and under `….remedy` what to do."""

REASONS = {
    "source-unavailable": "The source {kind} {address} cannot be reached: {detail}",
    "source-unavailable.remedy": "Check that the source runs and that network and firewall allow the connection; "
    "it resumes automatically",
    "snapshot-outdated": "Table {table} was changed or rebuilt in the source while it was read: {detail}",
    "snapshot-outdated.remedy": "The load resumes with a new snapshot by itself; if this happens again, pause the "
    "statements that change or rebuild the table",
    "source-full": "The disk of the source {kind} {address} is full: {detail}",
    "source-full.remedy": "Free space on the source's disk; it resumes automatically",
    "target-full": "The disk of the target {kind} {address} is full: {detail}",
    "target-full.remedy": "Free space on the target's disk, or lift the table's own limit; it resumes automatically "
    "and nothing is lost",
    "target-unavailable": "The target {kind} {address} cannot be reached: {detail}",
    "target-unavailable.remedy": "Check that the target runs, and the network; it resumes automatically",
    "table-locked": "Another session holds the target table {table} (sessions with locks: {holder}): {detail}",
    "table-locked.remedy": "It resumes automatically once the table is free. If that takes long, end the other "
    "transaction: pg_stat_activity or SHOW PROCESSLIST shows it",
    "access-denied": "The database {address} refuses user {user}: {detail}",
    "access-denied.remedy": "Check user and password, or grant the missing right, then start again",
    "source-not-ready": "The source's setting {setting} is {value}; {expected} is needed",
    "source-not-ready.remedy": "Set {setting} to {expected} at the source (this may need a restart of the database), "
    "then start again",
    "log-position-lost": "The source's log no longer has the changes from {wanted} on, captured until {since} "
    "(missing: {gap}; oldest kept: {oldest}): {detail}",
    "log-position-lost.remedy": "Start full for the tables (or reset and start them), or accept the gap, after which "
    "the target lacks what changed in it: capture then starts again. "
    "If another server answers by mistake, connect the former one and start the link. "
    "Let the source keep its log for longer",
    "log-let-go": "The source retained {held} GiB of log, more than the limit of {limit} GiB, so the log was released: "
    "changes are missing from {since} on",
    "log-let-go.remedy": "Start full for the tables (or reset and start them), or accept the gap: capture then "
    "restarts. Find out why the log was not read (stopped link, full bus, long transactions at the source), "
    "or raise the limit (heldLogGb)",
    "import-invalid": "The description cannot be imported: {detail}",
    "import-invalid.remedy": "Give an OpenAPI 3 description as JSON or YAML, or its address",
    "import-too-long": "The document of the selected operations has {characters} characters, {limit} at most",
    "import-too-long.remedy": "Select fewer operations, and the others in another connection",
    "table-missing": "Table {table} not found",
    "table-missing.remedy": "Restore the table, or remove it from the link",
    "table-refused": "Table {table} cannot be replicated: {reason}",
    "table-refused.remedy": "Change the table or column as the reason says, or remove it from the link",
    "table-left-out": "Table {table} matches a pattern and is left out: {reason}",
    "table-left-out.remedy": "Exclude it by a pattern (!{table}), or change it as the reason says",
    "row-refused": "The target refuses rows of table {table}: {detail}",
    "row-refused.remedy": "Correct the target's constraint or structure and resume the table, or start full for it",
    "fenced": "Another process has moved the position of checkpoint {checkpoint}",
    "fenced.remedy": "Make sure that no second agent runs the same service, then start again",
    "lease-over": "This host lost contact with the control plane for so long that another host may run the service",
    "lease-over.remedy": "Check the network between host and control plane; it resumes automatically",
    "topic-busy": "Another process is writing topic {topic}",
    "topic-busy.remedy": "Wait for that process to end; it is retried automatically",
    "bus-full": "The disk of the message bus is full: {path}",
    "bus-full.remedy": "Free space on the bus's disk; it then resumes automatically and nothing is lost",
    "bus-away": "The message bus at {servers} cannot be reached or used now: {detail}",
    "bus-away.remedy": "Check the brokers and the network; it resumes automatically and nothing is lost",
    "bus-refused": "The message bus at {servers} refuses: {detail}",
    "bus-refused.remedy": "Check user, password, certificates and rights of the bus in the agent's settings, "
    "then start the agent again",
    "offset-expired": "Records needed of topic {topic} passed their retention (needed {asked}, oldest {first})",
    "offset-expired.remedy": "Start full for the tables concerned, and keep topics for longer",
    "record-damaged": "Record {offset} of topic {topic} is damaged: {path}",
    "record-damaged.remedy": "Check the disk, then start full for the tables concerned",
    "request-timeout": "The agent gave up: there was no progress for {seconds} seconds",
    "request-timeout.remedy": "Check that the database can be reached, then try again",
    "request-withdrawn": "The request was withdrawn",
    "request-withdrawn.remedy": "Try again if it is still needed",
    "request-failed": "The agent met an unexpected error ({detail})",
    "request-failed.remedy": "Check the agent's log",
    "host-silent": "Host {host} has been silent since {since}: its process may still run or be gone",
    "host-silent.remedy": "See that the host runs and reaches the control plane. Where it is gone for good, stop its "
    "services if no other host can take them, then remove it from the container",
    "not-taken": "No host of container {container} has taken it",
    "not-taken.remedy": "See that container {container} has a host that is connected, or add one",
    "options-invalid": "Connection option {option} of {kind} is wrong",
    "options-invalid.remedy": "Correct the connection, or bring the agent of that host to the current version",
    "unknown-kind": "Database kind {kind} is not supported",
    "unknown-kind.remedy": "Bring the agent of that host to the current version",
}
