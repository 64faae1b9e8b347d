"""The agent: keeps a host's services at their desired state and reports to the control plane."""
