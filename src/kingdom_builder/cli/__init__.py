"""The command line `kingdom-builder`, for short `kb`."""
