"""The eye: camera frames in, sightings out. It never knows what would be legal."""
