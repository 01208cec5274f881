"""A REST server over memory folders, one per character, with a dashboard at ``/``.

``vividmem-server --dir FOLDER`` starts it; ``vividmem_extras.server.app.create_app`` makes the
ASGI application. Importing this package loads neither FastAPI nor uvicorn.
"""
