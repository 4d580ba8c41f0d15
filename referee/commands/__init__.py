"""One file per subcommand: the only place where rooms are put together."""
