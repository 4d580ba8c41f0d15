"""Calibration: the mat, the camera's geometry, and the profile that remembers both."""
