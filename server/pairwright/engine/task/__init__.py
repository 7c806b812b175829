"""Long tasks: a plan of files, and one clean-start turn for each of them."""
