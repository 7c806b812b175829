"""Secrets in text that is to leave: where they stand, and numbered placeholders in their place."""
