"""People with accounts, for tests: each is a browser with its cookie and its passkeys."""

import httpx

from kingdom_builder.server.persons import COOKIE
from server.authenticator import Authenticator
from server.inside import Json, Page, World

HOST, ORIGIN = "localhost:8000", "http://localhost:8000"


class Visitor:
    """Somebody at a browser of their own."""

    def __init__(self, inside: World, authenticator: Authenticator | None = None) -> None:
        self.world = inside
        self.cookie, self.cookie_name = "", COOKIE
        self.passkey = authenticator or Authenticator(ORIGIN, "localhost")
        self.answer: httpx.Response

    async def send(self, method: str, path: str, body: Json | None = None, **headers: str) -> httpx.Response:
        http = self.world.http
        http.cookies.clear()
        if self.cookie:
            http.cookies.set(self.cookie_name, self.cookie)
        self.answer = await http.request(
            method, f"/api/me{path}", json=body if method != "GET" else None, headers={"host": HOST, **headers}
        )
        if "set-cookie" in self.answer.headers:
            self.cookie = self.answer.cookies.get(COOKIE) or ""
        http.cookies.clear()
        return self.answer

    async def do(self, path: str, **body: object) -> Json:
        """Send something that must be allowed; the answer."""
        answer = await self.send("POST", path, body)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    async def ask(self, path: str = "") -> Json:
        answer = await self.send("GET", path)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    async def refused(self, path: str, method: str = "POST", **body: object) -> str:
        """The code with which something is refused, always in a sentence."""
        answer = await self.send(method, path, body)
        assert answer.status_code >= 400, answer.text
        refusal = answer.json()
        assert refusal["message"]["text"].endswith("."), refusal
        code: str = refusal["code"]
        return code

    async def come(self) -> "Visitor":
        await self.do("")
        return self

    @property
    async def id(self) -> str:
        found: str = (await self.ask())["id"]
        return found

    async def register(self) -> Json:
        """Make a passkey."""
        options = await self.do("/passkeys/options")
        return await self.do("/passkeys", answer=self.passkey.made(options))

    async def sign_in(self, passkey: Authenticator | None = None) -> Json:
        options = await self.do("/sign-in/options")
        return await self.do("/sign-in/passkey", answer=(passkey or self.passkey).signed(options))

    async def make(self, players: int = 2) -> Json:
        """A table of their own."""
        return await self.world.make(players)

    async def sit(self, token: str) -> Page:
        """Open the link of a seat."""
        return await self.world.page(token, cookie=self.cookie)

    async def seats_at(self, table: str) -> list[int]:
        """The seats that they can play at a table without a link."""
        page = await self.world.page(table=table, cookie=self.cookie)
        await page.close()
        self.world.pages.remove(page)
        found = [each for each in page.everything() if each["type"] == "welcome"]
        seats: list[int] = found[0]["table"]["yours"] if found else []
        return seats

    async def games(self) -> set[str]:
        """The tables in their list of games."""
        await self.world.tables.projector.flush()
        return {game["table"] for game in (await self.ask("/games"))["games"]}


async def visitor(inside: World) -> Visitor:
    """Somebody new, who is a guest."""
    return await Visitor(inside).come()
