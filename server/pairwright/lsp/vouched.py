"""Which servers of models the user vouches for: those that a source says which no file of a workspace gets into."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from pairwright.config.file import UnusableFile, read, usual
from pairwright.config.load import Layer, load, section
from pairwright.config.schema import Model
from pairwright.llm.addresses import host

log = logging.getLogger(__name__)


def hosts(set_: Layer, env: Mapping[str, str]) -> frozenset[str]:
    """Hosts in the settings file of the user's configuration folder and in `set_`, the layer of `--set`. Reads the
    file."""
    layers = [set_]
    try:
        if (path := usual(env)) is not None:
            layers.insert(0, Layer(str(path), section(read(path))))
    except UnusableFile as error:
        log.warning("the settings file is not used: %s", error)
    # Each by itself: what one overrides is vouched for as well.
    return frozenset().union(*(_of(load((layer,)).settings.model) for layer in layers))


def _of(model: Model) -> frozenset[str]:
    named = [model.api_base]
    named += [str(fields.get("api_base", "")) for fields in model.overrides.values()]
    return frozenset(found for found in map(host, named) if found)
