"""One module an edit format, each with `parse(reply, known) -> Parsed`: linear, and it never
raises."""
