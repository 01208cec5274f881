"""How the programs of the extras open a memory folder: which one, by what password, with what."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import vividmem
from vividmem import ConfigError
from vividmem_extras.names import folder_name


def folder_options(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take --dir and --agent, which `agent_folder` reads."""
    parser.add_argument("--dir", default="", help="memory folder; else VIVIDMEM_DIR")
    parser.add_argument("--agent", default="", help="one of several agents in DIR, each apart")


def opening_options(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take --password-file and --neural, which `opening` reads."""
    parser.add_argument(
        "--password-file", default="", metavar="FILE",
        help="holds the password of encrypted folders; else VIVIDMEM_PASSWORD",
    )  # fmt: skip
    parser.add_argument(
        "--neural", action="store_true", help="find and judge by meaning, too (vividmem[neural])"
    )


def agent_folder(folder: str, agent: str) -> Path:
    """Return the memory folder: *folder*, or that of *agent* in it; raises `ConfigError`."""
    folder = folder or os.environ.get("VIVIDMEM_DIR", "")
    if not folder:
        raise ConfigError("no memory folder: give --dir DIR or set VIVIDMEM_DIR")
    path = Path(folder).expanduser()
    return path / folder_name(agent) if agent else path


def opening(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `VividMem` that the command line asks for, for one store.

    Raises `MissingExtraError` where a package or model is missing.
    """
    return {"password": given_password(args), **(neural_parts() if args.neural else {})}


def given_password(args: argparse.Namespace) -> str | None:
    """Return the password of --password-file, else of VIVIDMEM_PASSWORD, else None.

    An empty variable is none. Raises `MissingExtraError` where nothing could be encrypted,
    `WrongKeyError` for an empty file.
    """
    if args.password_file == "-":
        raise ConfigError("--password-file must be a file: stdin is not read for it")
    password = vividmem._given_password(args)
    if not password and not args.password_file:
        return None
    vividmem.usable_password(password or "", vividmem.aes_gcm)
    return password


def neural_parts() -> Mapping[str, Any]:
    """Return an embedder and a gate for one store; all of them share the models.

    Raises `MissingExtraError`.
    """
    from vividmem_extras.neural import NeuralGate, OnnxEmbedder

    embedder = OnnxEmbedder()
    return {"embedder": embedder, "gate": NeuralGate(embedder)}
