"""Benchmarks of vividmem against its peers: no model call, no network, data sets by path.

Run one with ``python -m vividmem_extras.bench NAME``; ``--help`` names them. ``peers`` wraps every
system behind one Protocol, ``metrics`` is the arithmetic, ``data`` checks files by hash and
``report`` prints the table and writes the JSON.
"""
