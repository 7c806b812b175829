"""`python -m pairwright`: the same as the `pairwright` command."""

import sys

# `-m` puts the working directory first, and that is the user's workspace: no module of it may be imported.
if not sys.flags.safe_path and sys.path:
    del sys.path[0]

from pairwright.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
