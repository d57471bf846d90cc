"""What this server can send, by its operator's settings, and the keys that it takes."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from kingdom_builder.server.delivery import mail, push
from kingdom_builder.server.delivery.destination import read_origins
from kingdom_builder.server.delivery.outcome import Outcome
from kingdom_builder.server.delivery.push import Subscription, Vapid, check_subscription, send_push
from kingdom_builder.server.delivery.webhook import check_webhook, send_webhook
from kingdom_builder.server.journal import Journal
from kingdom_builder.server.notices import Notice, mail_texts, push_payload, trial_line, webhook_line
from kingdom_builder.server.server_keys import server_key
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.store import Steps
from kingdom_builder.server.ways import unsubscribing_token

NO_KEY = "0" * 43


class Keys(NamedTuple):
    """The secrets of the server for messages."""

    vapid: str
    """For pushes; empty if there are none."""
    unsubscribing: str


class Senders:
    """Sends messages in all ways that the operator has allowed."""

    def __init__(self, settings: Settings, journal: Journal) -> None:
        """Raises ValueError for settings that cannot work."""
        self._settings = settings
        self._journal = journal
        self._push_allow = read_origins(settings.push_allow)
        self._webhook_allow = read_origins(settings.webhook_allow)
        self._keys: asyncio.Task[Keys] | None = None
        if settings.push_contact is not None:
            Vapid(NO_KEY, settings.push_contact)  # a wrong contact shows now, not when the first push is refused
            if not push.is_available():
                raise ValueError("pushes need packages that are not installed: pip install 'kingdom-builder[people]'")

    @property
    def offers_push(self) -> bool:
        return self._settings.push_contact is not None

    @property
    def offers_webhooks(self) -> bool:
        """Whether there are webhooks: they need an address for their links."""
        return bool(self._settings.address)

    @property
    def offers_mail(self) -> bool:
        return self._settings.mail is not None and bool(self._settings.address) and mail.is_available()

    async def keys(self) -> Keys:
        """The keys, which are made when they are first needed. Raises StoreError."""
        if self._keys is None or (self._keys.done() and self._keys.exception() is not None):
            self._keys = asyncio.create_task(self._find_keys())
        return await asyncio.shield(self._keys)

    async def _find_keys(self) -> Keys:
        # Made here, and not by the thread of the database: loading the packages takes long.
        vapid = await asyncio.to_thread(push.new_vapid_key) if self.offers_push else ""
        return await self._journal.write(_keys, vapid, secrets.token_hex(32))

    async def public_key(self) -> str:
        """The key to which browsers subscribe; empty if there are no pushes."""
        return push.public_key((await self.keys()).vapid) if self.offers_push else ""

    async def unsubscribing_link(self, person: str) -> str:
        """The link that ends mails to a person."""
        token = unsubscribing_token(person, (await self.keys()).unsubscribing)
        return f"{self._address}/api/unsubscribe/{token}"

    @property
    def _address(self) -> str:
        return (self._settings.address or "").rstrip("/")

    # ---- what people choose ---------------------------------------------------------------------------------------

    def check_browser(self, endpoint: str, p256dh: str, auth: str) -> Subscription:
        """A browser to send pushes to. Raises Refusal."""
        return check_subscription(endpoint, p256dh, auth, self._push_allow)

    def check_webhook(self, url: str) -> None:
        """Raise Refusal if this cannot be a webhook."""
        check_webhook(url, self._webhook_allow)

    async def try_webhook(self, url: str, language: str) -> Outcome:
        """Send a test to a webhook."""
        return await send_webhook(url, trial_line(language, self._address), allowed=self._webhook_allow)

    # ---- sending ---------------------------------------------------------------------------------------------------

    async def push(self, subscription: Subscription, language: str, notice: Notice) -> Outcome:
        """Send a push."""
        contact = self._settings.push_contact
        if contact is None:
            return Outcome("refused", "no pushes")
        vapid = Vapid((await self.keys()).vapid, contact)
        payload = push_payload(language, notice)
        return await send_push(subscription, payload, notice.table, vapid, allowed=self._push_allow)

    async def webhook(self, url: str, language: str, notice: Notice) -> Outcome:
        """Send a line to a webhook."""
        if not self.offers_webhooks:
            return Outcome("refused", "no webhooks")
        return await send_webhook(url, webhook_line(language, notice, self._address), allowed=self._webhook_allow)

    async def mail(self, address: str, person: str, language: str, notices: Sequence[Notice]) -> Outcome:
        """Send one mail about all these games."""
        if self._settings.mail is None or not self.offers_mail:
            return Outcome("refused", "no mail")
        link = await self.unsubscribing_link(person)
        subject, text = mail_texts(language, notices, self._address, link)
        return await mail.send_mail(self._settings.mail, address, subject, text, unsubscribe=link)


def _keys(vapid: str, unsubscribing: str) -> Steps[Keys]:
    """The keys that are stored, or else these."""
    kept = (yield from server_key("vapid", lambda: vapid)) if vapid else ""
    return Keys(kept, (yield from server_key("unsubscribing", lambda: unsubscribing)))
