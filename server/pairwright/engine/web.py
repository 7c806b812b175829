"""Web pages for a request: fetched once, from public addresses only, as Markdown.

A name is looked up once, every address it has is judged, and the connection goes to one that was judged, at each
redirect anew: no answer of a name server can lead into the user's own network. Knows no prompt and no model.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

from pairwright.engine.ports import Page, Unfetched

if TYPE_CHECKING:
    import ssl

    import httpx

MOST_BYTES = 2_000_000
SECONDS = 20.0
_REDIRECTS = 5
_LONGEST_URL = 2_000
_TYPES: dict[str, Literal["html", "text", "json"]] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/plain": "text",
    "text/markdown": "text",
    "text/x-markdown": "text",
    "application/json": "json",
}
_HEADERS = {
    # A compressed answer could unpack to any size before it can be counted.
    "Accept-Encoding": "identity",
    "Accept": "text/html, text/markdown, text/plain, application/json;q=0.9",
    "User-Agent": "Pairwright",
}
_NO_TEXT = ("script", "style", "noscript", "template", "svg", "iframe", "head")
_URL = re.compile(r"https?://[^\s<>\"'`\\^{}|]+")
_TRAILING = ".,;:!?*_~"
_BLANKS = re.compile(r"\n{3,}")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def urls_in(text: str) -> tuple[str, ...]:
    """The http and https addresses in `text`, in order, each once, without the marks of the sentence."""
    found: dict[str, None] = {}
    for match in _URL.findall(text):
        url = match.rstrip(_TRAILING)
        while url.endswith((")", "]")) and url.count(url[-1]) > url.count(
            "(["[")]".index(url[-1])]
        ):
            url = url[:-1].rstrip(_TRAILING)
        found[url] = None
    return tuple(found)


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet: not this machine, not a private or link-local network
    (where clouds keep their metadata), whatever notation hides it."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is None and address.teredo:
            inner = address.teredo[1]
        if inner is not None:
            return is_public(inner)
        if address.is_site_local:
            return False
    return address.is_global and not address.is_multicast


@dataclass(frozen=True, slots=True)
class WebFetcher:
    """Implements `ports.Fetcher`. `allowed`: judges addresses; only tests have another one. `trust`: whose
    certificates count; None = the usual authorities'."""

    allowed: Callable[[Address], bool] = is_public
    trust: ssl.SSLContext | None = None

    async def fetch(self, url: str) -> Page | Unfetched:
        """The page at `url` as Markdown, or why not. Raises nothing but CancelledError."""
        import httpx

        try:
            async with asyncio.timeout(SECONDS):
                return await self._followed(url)
        except TimeoutError:
            return Unfetched(f"{url} did not come within {SECONDS:.0f} seconds")
        except httpx.HTTPError as error:
            return Unfetched(f"{url} cannot be fetched: {str(error) or type(error).__name__}")

    async def _followed(self, url: str) -> Page | Unfetched:
        here = url
        for _ in range(_REDIRECTS + 1):
            found = await self._once(here)
            if not isinstance(found, str):
                return found if isinstance(found, Page) else Unfetched(f"{url} {found.reason}")
            here = urljoin(here, found)
        return Unfetched(f"{url} redirects more than {_REDIRECTS} times")

    async def _once(self, url: str) -> Page | Unfetched | str:
        """The page, why not (a phrase without the address), or where it is instead."""
        import httpx

        problem, host, port = _parts(url)
        if problem:
            return Unfetched(problem)
        address = await self._resolved(host, port)
        if isinstance(address, Unfetched):
            return address
        target = httpx.URL(url)
        # The server's name goes along for its certificate and its virtual host; the connection goes to the
        # address that was judged.
        pinned = target.copy_with(host=address, fragment=None)
        headers = {**_HEADERS, "Host": target.netloc.decode("ascii")}
        async with httpx.AsyncClient(
            trust_env=False, timeout=SECONDS, verify=self.trust or True
        ) as client:
            request = client.build_request(
                "GET", pinned, headers=headers, extensions={"sni_hostname": host}
            )
            response = await client.send(request, stream=True, follow_redirects=False)
            async with contextlib.aclosing(response):
                return await _answer(url, response)

    async def _resolved(self, host: str, port: int) -> str | Unfetched:
        """One address of `host`, all of which may be reached."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return Unfetched(f"cannot be fetched: the name {host} is not known")
        texts = list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found))
        if not texts or not all(self.allowed(ipaddress.ip_address(text)) for text in texts):
            return Unfetched(f"is not fetched: {host} is in a private network or on this machine")
        return texts[0]


def _parts(url: str) -> tuple[str, str, int]:
    """What is wrong with an address as a phrase, its host and its port."""
    try:
        split = urlsplit(url)
        host, port = split.hostname or "", split.port
    except ValueError:
        return "is no address of a web page", "", 0
    if split.scheme not in ("http", "https"):
        return "is not fetched: only http and https are", "", 0
    if len(url) > _LONGEST_URL or not host:
        return "is no address of a web page", "", 0
    if split.username or split.password:
        return "is not fetched: an address with a password in it goes nowhere", "", 0
    return "", host, port or (443 if split.scheme == "https" else 80)


async def _answer(url: str, response: httpx.Response) -> Page | Unfetched | str:
    if response.is_redirect:
        return response.headers["Location"]
    if response.status_code != 200:
        return Unfetched(f"answered with status {response.status_code}")
    if response.headers.get("Content-Encoding", "identity") != "identity":
        return Unfetched("is sent compressed, which was not asked for")
    media = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    kind = _TYPES.get(media)
    if kind is None:
        return Unfetched(f"is no page of text but {media or 'of no stated type'}")
    data = bytearray()
    async for piece in response.aiter_raw():
        data += piece
        if len(data) > MOST_BYTES:
            return Unfetched(f"is larger than {MOST_BYTES:,} bytes")
    text = bytes(data).decode(_charset(response), "replace")
    return await asyncio.to_thread(_page, url, kind, text)


def _charset(response: httpx.Response) -> str:
    named = response.charset_encoding or "utf-8"
    try:
        "".encode(named)
    except LookupError:
        return "utf-8"
    return named


def _page(url: str, kind: Literal["html", "text", "json"], text: str) -> Page | Unfetched:
    if kind == "html":
        text = _markdown(text, url)
    if kind == "json":
        text = _indented(text)
    text = _BLANKS.sub("\n\n", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text:
        return Unfetched("holds no text: it may be made by a script")
    return Page(url, f"{text}\n")


def _markdown(html: str, url: str) -> str:
    """The text of a page without what only a browser needs, and without what it hides; links are whole."""
    import html_to_markdown as converter

    options = converter.ConversionOptions(
        bullets="-",
        extract_metadata=False,
        skip_images=True,
        base_url=url,
        exclude_selectors=list(_NO_TEXT),
        # A whole page may stand in one form.
        preprocessing=converter.PreprocessingOptions(remove_forms=False),
    )
    try:
        return converter.convert(html, options).content or ""
    except converter.ConversionError:
        return ""


def _indented(text: str) -> str:
    """JSON of one long line in lines, which can be cut; anything else as it is."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except (ValueError, RecursionError):
        return text


def listed(urls: Sequence[str]) -> str:
    """Addresses for a question to the user."""
    return ", ".join(urls[:5]) + (f" and {len(urls) - 5} more" if len(urls) > 5 else "")
