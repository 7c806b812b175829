"""Chat history policy. Pure policy; what is kept on disk sits in its own store."""
