"""Conversations and spendings: their records and files, and what of a conversation is sent again."""
