"""Faults: several servers with one PostgreSQL, people at many tables, and something that breaks every second.

What people were told is compared with the log in the end: nothing that was acknowledged may be lost, done twice or out
of order, and nobody may have seen what the log does not show them.
"""
