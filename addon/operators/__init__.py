"""What a person can do, one file a task; each operator calls one function that a script can call too."""
