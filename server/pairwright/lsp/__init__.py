"""The Language Server Protocol: the only layer that knows pygls and lsprotocol."""
