"""`python -m vividmem` for the installed package; hatch_build.py puts this file there."""

from vividmem_extras.cli import main

raise SystemExit(main())
