"""Documents, lines, offsets and digests. Knows no editor, no disk and no language."""
