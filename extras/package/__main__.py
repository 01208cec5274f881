"""`python -m vividmem` for the installed package; hatch_build.py puts this file there."""

from vividmem import main

raise SystemExit(main())
