"""Put vividmem.py into the wheel as the package `vividmem`.

Type checkers read the types of an installed package with a `py.typed` file and ignore those of an
installed single module. An editable install gets nothing of this: it puts the repository on the
path, so that `import vividmem` finds the one file as it stands.
"""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = {
    "vividmem.py": "vividmem/__init__.py",
    "extras/package/__main__.py": "vividmem/__main__.py",
    "extras/package/py.typed": "vividmem/py.typed",
}


class OneFileAsPackage(BuildHookInterface):
    """Adds the three files of the package `vividmem` to a standard wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Tell the builder which file goes where."""
        if version == "standard":
            build_data["force_include"].update(PACKAGE)
