"""Models behind one stream of values. litellm and tokenizers live in a child process."""
