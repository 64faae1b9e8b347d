"""What a comparison asks a server to compute."""
