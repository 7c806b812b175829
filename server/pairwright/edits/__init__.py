"""Edit formats, matching and planning. Pure: a model's mistake is a value, never an exception."""
