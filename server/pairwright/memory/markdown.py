"""A conversation as a Markdown document for people. Pure."""

from __future__ import annotations

from datetime import datetime, tzinfo

from pairwright.memory.chat import Chat, Exchange, Fact


def markdown(chat: Chat, zone: tzinfo | None = None) -> str:
    """Every turn word for word, and what became of its edits. `zone`: None for the machine's own."""
    opened = chat.opened
    many = len(chat.exchanges)
    about = [f"Conversation `{opened.session}`, {many} {'turn' if many == 1 else 'turns'}"]
    if opened.at:
        about.append(f"begun {_when(opened.at, zone)}")
    if opened.parent:
        about.append(f"forked from `{opened.parent}` after turn {opened.turn}")
    parts = [f"# {chat.title or 'Conversation'}", f"{', '.join(about)}."]
    if chat.summary is not None and chat.summarised:
        lead = f"Summary of the turns up to number {chat.summarised}, as it is sent to the model:"
        parts += [lead, _quoted(chat.summary.text)]
    for number, exchange in enumerate(chat.exchanges, 1):
        parts += _turn(number, exchange, chat, zone)
    return "\n\n".join(parts) + "\n"


def _turn(number: int, exchange: Exchange, chat: Chat, zone: tzinfo | None) -> list[str]:
    name = f" ({exchange.model})" if exchange.model else ""
    when = f", {_when(exchange.at, zone)}" if exchange.at else ""
    became = [
        f"- {fact.path}: {_words(fact)}"
        for fact in chat.facts
        if exchange.proposal and fact.proposal == exchange.proposal
    ]
    return [
        f"## {number}. {exchange.mode}{when}",
        _quoted(exchange.request),
        f"### Answer{name}",
        exchange.answer.strip("\n"),
        *(["### What became of its edits", "\n".join(became)] if became else []),
    ]


def _words(fact: Fact) -> str:
    return f"{fact.what} (checkpoint {fact.checkpoint[:7]})" if fact.checkpoint else fact.what


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip("\n").split("\n"))


def _when(at: float, zone: tzinfo | None) -> str:
    return datetime.fromtimestamp(at, zone).strftime("%Y-%m-%d %H:%M")
