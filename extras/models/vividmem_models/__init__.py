"""The models of vividmem's neural extra, as files; `vividmem_extras.neural` finds them here."""

__version__ = "0.1.0"
