"""Pairwright: an AI pair programmer behind every LSP editor. Holds the version and nothing else."""

__version__ = "0.1.0"
