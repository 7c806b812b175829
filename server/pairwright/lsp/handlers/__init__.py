"""One module a feature; each handler converts in, calls, converts out."""
