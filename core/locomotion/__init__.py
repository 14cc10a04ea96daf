"""What the body is doing: one file a state, and the machine that goes from one to the next."""
