"""Reference repositories: indexes of code outside the workspace."""
