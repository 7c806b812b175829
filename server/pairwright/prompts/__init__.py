"""Chunks in cache order to messages. Pure; golden-tested whole."""
