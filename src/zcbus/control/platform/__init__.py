"""Foundation of every feature of the control plane: calls, sessions, authority, envelope, messages, audit."""
