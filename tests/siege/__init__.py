"""The siege: attacks on a real server with default limits, and what the people at its tables feel of them."""
