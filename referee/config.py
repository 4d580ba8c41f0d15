"""Where things are: the state directory, the runtime directory and the sockets in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Places:
    """The two directories of a running referee.

    `state` survives a power cut (journal, profiles); `runtime` holds the sockets of one run.
    """

    state: Path
    runtime: Path

    @classmethod
    def from_environment(cls) -> Places:
        """`REFEREE_STATE`/`REFEREE_RUNTIME`, else systemd's directories, else the user's own."""
        env = os.environ
        home = Path(env.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
        state = env.get("REFEREE_STATE") or env.get("STATE_DIRECTORY") or str(home / "referee")
        runtime = env.get("REFEREE_RUNTIME") or env.get("RUNTIME_DIRECTORY") or ""
        if not runtime:
            base = env.get("XDG_RUNTIME_DIR")
            runtime = str(Path(base) / "referee") if base else f"/tmp/referee-{os.getuid()}"  # noqa: S108  # sockets only, mode 0700
        return cls(Path(state), Path(runtime))

    def make(self) -> Places:
        """Create both directories (the runtime one for this user alone) and return self."""
        self.state.mkdir(parents=True, exist_ok=True)
        self.runtime.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self

    def endpoint(self, name: str) -> str:
        """The `ipc://` address of a socket: `sightings`, `facts`, `views`, `orders`, `beats`, `stage`."""
        return f"ipc://{self.runtime / name}"
