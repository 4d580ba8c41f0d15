"""What the eye has seen, told from what the record says: pure, from sighting to the act that it means."""
