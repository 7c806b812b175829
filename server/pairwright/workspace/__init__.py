"""The live workspace: open buffers over disk, discovery, the index and its cache."""
