"""The files that games stand in."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

from referee import games


def files() -> tuple[ModuleType, ...]:
    """The file of every game."""
    folder = Path(games.__file__).parent
    return tuple(
        import_module(f"referee.games.{path.stem}") for path in sorted(folder.glob("*.py")) if path.stem != "__init__"
    )


def file_of(preset: str) -> ModuleType:
    """The file that a preset stands in."""
    return next(file for file in files() if preset in [each.id for each in file.GAMES])
