"""The parts of dev.py: environments, checks, the zip, benchmarks, the demo. None of it is in the extension."""
