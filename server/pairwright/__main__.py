"""`python -m pairwright`: the same as the `pairwright` command."""

from pairwright.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
