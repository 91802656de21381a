"""A cross-encoder that learns from gold: groups, held-out companies, the same weights each time."""

import hashlib

import pytest

from finrag.command.training import _said
from finrag.embeddings import minilm_folder
from finrag.retrieval.reranking import open_reranker
from finrag.retrieval.training import Group, Trained, Training, train_reranker
from finrag.systems.variants import read_file

WORDS = ["harbour", "freight", "margin", "revenue", "steel", "strike", "volume", "price"]


def group(number, company="1", query="What was revenue?"):
    positive = f"Revenue was {number} million."
    negatives = tuple(f"The {word} of {number} ships." for word in WORDS)
    return Group(f"p3:{number}", company, query, positive, negatives)


LEARNT = [group(number, str(number)) for number in range(40)]
SETTINGS = Training(n_epochs=4, n_negatives=4, learning_rate=5e-3)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A tiny encoder with the tokenizer of the installed one."""
    from transformers import AutoTokenizer, BertConfig, BertModel

    folder = tmp_path_factory.mktemp("base")
    tokenizer = AutoTokenizer.from_pretrained(minilm_folder())
    import torch

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
    )
    BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def trained(base, tmp_path_factory):
    target = tmp_path_factory.mktemp("models") / "one"
    return target, train_reranker(LEARNT, base, target, "corpus-1", SETTINGS)


@pytest.mark.slow
def test_companies_left_out_measure_what_was_learnt(trained):
    _, found = trained
    n_held_out = sum(one.is_held_out for one in LEARNT)

    assert (found.n_learnt, found.n_held_out) == (40 - n_held_out, n_held_out)
    assert 0 < n_held_out < 20
    assert found.mrr_after > 0.95 > found.mrr_before


@pytest.mark.slow
def test_the_same_groups_and_seed_give_the_same_weights(base, trained, tmp_path):
    target, _ = trained
    train_reranker(LEARNT, base, tmp_path / "two", "corpus-1", SETTINGS)
    digests = {
        hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
        for folder in (target, tmp_path / "two")
    }

    assert len(digests) == 1


@pytest.mark.slow
def test_a_trained_model_is_a_reranker_that_puts_evidence_first(trained):
    target, _ = trained
    reranker = open_reranker(f"cross_encoder:{target}", None, {})
    one = group(77)

    (found,) = reranker.rerank([one.query], [[*one.negatives, one.positive]])

    assert found.failure is None
    assert max(found.scores) == found.scores[-1]


@pytest.mark.slow
def test_the_model_card_says_what_it_was_made_from(trained):
    target, found = trained
    card = (target / "README.md").read_text("utf-8")

    assert "corpus-1" in card
    assert f"groups in the training: {found.n_learnt};" in card
    assert f"{found.mrr_after} after" in card


def test_a_folder_that_exists_is_not_written_over(base, tmp_path):
    with pytest.raises(ValueError, match="exists; name a new folder"):
        train_reranker(LEARNT, base, tmp_path, "x", Training())


def test_without_items_there_is_nothing_to_learn(base, tmp_path):
    held_out = [one for one in LEARNT if one.is_held_out]

    with pytest.raises(ValueError, match="nothing to train on"):
        train_reranker(held_out, base, tmp_path / "none", "x", Training())


def test_what_the_command_prints_is_a_file_of_systems(tmp_path):
    target = tmp_path / 'a "new" one'
    said = _said(Trained(4, 1, 0.2, 0.8, 60.0), target)
    (tmp_path / "mine.yml").write_text("systems:" + said.partition("systems:")[2])

    (entry,) = read_file(tmp_path / "mine.yml")

    assert (entry.based_on, *entry.compare_with) == ("multi_path", "multi_path")
    assert entry.settings["reranker"] == f"cross_encoder:{target}"
