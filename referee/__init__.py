"""Tabletop Referee: the rules, the record and the table process."""

__version__ = "0.1.0"
