"""The hardware leaf: camera adapters, buzzer, LED and buttons; imports nothing of ours."""
