"""`python -m bestfirst` is the program `bestfirst`."""

import sys

from bestfirst.cli import main

if __name__ == "__main__":
    sys.exit(main())
