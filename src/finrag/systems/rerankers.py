"""Names of rerankers: checked and identified; `finrag.retrieval.reranking` loads them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

NONE: Final = "none"
LATE_INTERACTION: Final = "late_interaction"
CROSS_ENCODER: Final = "cross_encoder"
LLM: Final = "llm"
VALID_FORMS: Final = (NONE, LATE_INTERACTION, f"{CROSS_ENCODER}:<name or path>", f"{LLM}:<model>")

# Of the algorithm; raise it with every change that can give other scores.
LATE_INTERACTION_VERSION: Final = 1
LATE_INTERACTION_WEIGHTS: Final = "wordllama"
HUB_ORGANISATION: Final = "cross-encoder"
HUB_NAME: Final = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)?")
ONLINE: Final = frozenset({"0", "OFF", "NO", "FALSE"})
MODEL_FILE: Final = "config.json"


def check_reranker(name: str) -> None:
    """Refuses a reranker that has no valid form or is not there; nothing is loaded.

    Raises:
        ValueError: lists the valid forms; or a cross-encoder is neither a folder with a model nor
            a hub name, or one that is not on this machine while the hub may not be asked.
    """
    kind, colon, argument = name.partition(":")
    takes_argument = kind in {CROSS_ENCODER, LLM}
    is_valid = bool(argument.strip()) if takes_argument else not colon
    if not is_valid or kind not in {NONE, LATE_INTERACTION, CROSS_ENCODER, LLM}:
        raise ValueError(f"unknown reranker '{name}'; valid forms are {', '.join(VALID_FORMS)}.")
    if kind == CROSS_ENCODER:
        _check_cross_encoder(argument.strip())


def reranker_id(name: str) -> str:
    """What identifies a reranker: two that can give different scores never share it.

    Args:
        name: one of ``VALID_FORMS``, as checked.

    Returns:
        For late interaction the algorithm's version and its weights; for a cross-encoder's folder
        its name and a digest of its files, wherever it lies; else the name: what stands behind a
        name of the hub or of an endpoint is not known here.
    """
    from finrag.embeddings import encoder_id

    kind, _, argument = name.partition(":")
    if kind == LATE_INTERACTION:
        return f"{kind}:{LATE_INTERACTION_VERSION}:{encoder_id(LATE_INTERACTION_WEIGHTS)}"
    if kind == CROSS_ENCODER and Path(argument.strip()).expanduser().is_dir():
        return f"{kind}:{encoder_id(f'sentence-transformers:{argument.strip()}')}"
    return name


def _check_cross_encoder(name: str) -> None:
    """Refuses what ``_load_cross_encoder`` could not find."""
    folder = Path(name).expanduser()
    remedy = "Give the path of a folder with a cross-encoder, or a hub name (owner/model)"
    if folder.is_dir() and not (folder / MODEL_FILE).is_file():
        raise ValueError(f"{CROSS_ENCODER}:{name} is a folder without {MODEL_FILE}. {remedy}.")
    if folder.is_dir():
        return
    if not HUB_NAME.fullmatch(name):
        raise ValueError(f"{CROSS_ENCODER}:{name}: there is no folder {folder}. {remedy}.")
    is_online = os.environ.get("HF_HUB_OFFLINE", "1").upper() in ONLINE
    if not is_online and not _is_cached(name):
        raise ValueError(
            f"{CROSS_ENCODER}:{name} is not on this machine, neither as a folder nor in the hub's "
            f"cache. {remedy} and set HF_HUB_OFFLINE=0 for its download."
        )


def _is_cached(name: str) -> bool:
    from huggingface_hub import constants, try_to_load_from_cache

    # The library's own rule: a bare name is an early model or belongs to its own organisation.
    names = [name] if "/" in name else [name, f"{HUB_ORGANISATION}/{name}"]
    cache = constants.HF_HUB_CACHE
    return any(
        isinstance(try_to_load_from_cache(one, MODEL_FILE, cache_dir=cache), str) for one in names
    )
