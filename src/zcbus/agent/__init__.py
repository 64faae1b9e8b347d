"""The agent: keeps a host's services at their desired state and tells the control plane what it sees."""
