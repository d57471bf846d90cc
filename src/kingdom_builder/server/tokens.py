"""Tokens: what a link carries and a client holds. The server keeps only their hashes."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

TokenHashes = frozenset[str]
"""The hashes of the tokens that somebody has shown, and the keys of the person that they are."""

PERSON = "person:"


def new_token() -> str:
    """A new token that nobody can guess."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> str:
    """The hash of a token, which is all that the server keeps."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def person_key(person: str) -> str:
    """What stands for a person among hashes of tokens; no hash looks like it."""
    return PERSON + person


def derived_token(token: str, about: str) -> str:
    """Another token, always the same for the same first token and text."""
    digest = hmac.digest(token.encode(), about.encode(), "sha256")
    return urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()
