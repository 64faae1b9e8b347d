"""`python -m zcbus.cli`: how the platform starts its own processes."""

import sys

from zcbus.cli.main import main

sys.exit(main())
