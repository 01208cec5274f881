"""Optional parts of vividmem, each in a module of its own.

Importing this package imports nothing else: take the part you need, as in
``from vividmem_extras.bench import locomo``. A part whose packages are missing says which
``pip install 'vividmem[…]'`` brings them.
"""
