"""What a user can type: thin, no logic of its own."""
