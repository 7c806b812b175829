"""`python -m tests.bench`: the table of speeds; see bench_map."""

import sys

from tests.bench.bench_map import main

sys.exit(main())
