"""How the models of `vividmem-models` are made: `python -m vividmem_extras.training --help`."""
