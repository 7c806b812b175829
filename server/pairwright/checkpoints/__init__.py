"""Checkpoints in a private git repository, by dulwich. Works on bytes it is given."""
