"""Surefoot's core: everything that can be worked out without Blender. Map: README.md beside this file."""
