"""What the extras raise on purpose."""

from vividmem import VividMemError


class MissingExtraError(VividMemError, ImportError):
    """A package that an extra needs is not installed."""

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(f"{what} cannot be had here: {advice}")
