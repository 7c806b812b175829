"""Who refers to whom, and the rank that follows. Pure numbers; knows no text and no disk."""
