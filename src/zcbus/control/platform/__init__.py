"""What every feature of the control plane stands on: calls, sessions, authority, envelope, messages, audit."""
