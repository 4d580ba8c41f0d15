"""Who comes in from outside, phones and programs: how they join, what they may say, and the gate."""
