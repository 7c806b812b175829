"""One typed tree of settings: the source of defaults, docs and editor schemas."""
