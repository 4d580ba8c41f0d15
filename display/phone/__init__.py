"""The phone page: a web page and the bridge that serves it."""
