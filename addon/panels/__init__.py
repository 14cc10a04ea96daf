"""The sidebar tab."""
