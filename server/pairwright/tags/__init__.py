"""Definitions and references by tree-sitter. The only layer that imports it; does no I/O."""
