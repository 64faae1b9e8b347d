"""`python -m zcbus.cli`: the entry point for the platform's own processes."""

import sys

from zcbus.cli.main import main

sys.exit(main())
