"""What people look at: the touchscreen and the phone page, both drawn from views alone."""
