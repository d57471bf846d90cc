"""Sending notifications to where a person wants them: web push, a webhook, mail.

Each sender is a coroutine that ends within its patience and returns an `Outcome`; it raises nothing for what the other
side does. Who is told what, and when, is decided elsewhere: nothing here knows tables or the database.
"""
