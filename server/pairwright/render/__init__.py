"""Ranked definitions to map text inside a hard token budget. Pure; golden-tested."""
