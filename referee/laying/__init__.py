"""Games in which tiles are laid to a layout: its geometry, the course of a round, and what goes wrong in one."""
