"""Messages between control plane, agent and worker. Every message is a frozen pydantic model; JSON on the wire."""
