"""Tokens: what a link carries and a client holds. The server keeps their hashes only."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

TokenHashes = frozenset[str]
"""The hashes of the tokens that somebody has shown."""


def new_token() -> str:
    """A part of a link that nobody can guess."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def derived_token(token: str, about: str) -> str:
    """A further token, the same each time for whoever has the first one."""
    digest = hmac.digest(token.encode(), about.encode(), "sha256")
    return urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()
