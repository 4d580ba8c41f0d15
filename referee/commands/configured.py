"""One file for all options of a command: `--config referee.toml`, its keys the names of the options.

A key that is no option, or a value that an option cannot have, is a wrong configuration. What stands on the command
line after `--config` wins.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from referee import nearest
from referee.config import ConfigurationError

Options = Callable[[argparse.ArgumentParser], None]


def add(parser: argparse.ArgumentParser, options: Options) -> None:
    """Give a parser its options, and `--config` for the file that names them."""
    options(parser)
    add_file(parser, options)


def add_file(parser: argparse.ArgumentParser, options: Options) -> None:
    """Give a parser `--config` alone, for a file of the options of another command."""
    told = 'a TOML file of these options: camera = "pi", lan = true, …; those after it on the command line win'
    parser.add_argument("--config", action=_Configured, options=options, metavar="FILE", help=told)


def arguments(file: Path) -> list[str]:
    """A file as the command line that says the same.

    `key = value` becomes `--key value`, true a flag, false nothing, a list a value for each, a table `name=value`
    with blanks between.

    Raises:
        ConfigurationError: if it cannot be read or is not TOML.
    """
    try:
        keys = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"expected a configuration file, got {file} ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file}: expected TOML, got a file that is none ({error})") from None
    return [argument for key, value in keys.items() for argument in _said(key, value)]


def _said(key: str, value: Any) -> Iterator[str]:
    option = f"--{key}"
    if isinstance(value, bool):
        yield from (option,) if value else ()
    elif isinstance(value, dict):
        yield f"{option}={' '.join(f'{name}={_text(part)}' for name, part in value.items())}"
    elif isinstance(value, list):
        yield from (f"{option}={_text(part)}" for part in value)
    else:
        yield f"{option}={_text(value)}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(_text, value)) if isinstance(value, list) else str(value)


class _Strict(argparse.ArgumentParser):
    """A parser of a file's options, whose complaints name the file."""

    def __init__(self, file: Path) -> None:
        super().__init__(prog=str(file), add_help=False, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        if unknown := re.match(r"unrecognized arguments: --([^= ]*)", message):
            known = [text.removeprefix("--") for action in self._actions for text in action.option_strings]
            hint = nearest.meant(unknown[1], known)
            raise ConfigurationError(f"{self.prog}: expected the name of an option, got {unknown[1]!r}{hint}")
        raise ConfigurationError(f"{self.prog}: {message.replace('argument --', '')}")


class _Configured(argparse.Action):
    """Reads the file where `--config` stands."""

    def __init__(self, option_strings: Sequence[str], dest: str, options: Options, **kwargs: Any) -> None:
        super().__init__(option_strings, dest, **kwargs)
        self._options = options

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002  # argparse's own signature
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,  # noqa: ARG002  # argparse's own signature
    ) -> None:
        file = Path(str(values))
        strict = _Strict(file)
        self._options(strict)
        strict.parse_args(arguments(file), namespace)
        setattr(namespace, self.dest, file)
