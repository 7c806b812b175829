"""The turn, proposals and the doors. Talks to the editor and to models only through ports."""
