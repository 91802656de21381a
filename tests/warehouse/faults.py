"""Faults that a warehouse must notice: each replaces one function of the library."""

import dataclasses

import numpy as np
import pyarrow as pa

from finrag import embeddings
from finrag.answers import extractive
from finrag.retrieval import comparing, corpus_layout, methods, pools, searching


def shuffle_vectors():
    """Every text carries the vector of another text."""
    _change_vectors(lambda vectors: vectors[np.random.default_rng(1).permutation(len(vectors))])


def spoil_vectors():
    """Every fiftieth vector is NaN."""

    def spoil(vectors):
        vectors = vectors.copy()
        vectors[::50] = np.nan
        return vectors

    _change_vectors(spoil)


def shift_ids():
    """A search finds each vector under the number of the next text."""
    _change_numbers(lambda numbers: np.roll(numbers, 1))


def truncate_index():
    """Half of the vectors are never found."""
    _change_numbers(
        lambda numbers: np.where(np.arange(len(numbers)) < len(numbers) // 2, numbers, -1)
    )


def _change_numbers(change):
    compare = comparing.compare_all

    def changed(*arguments):
        search = compare(*arguments)
        return dataclasses.replace(search, numbers=change(search.numbers))

    comparing.compare_all = changed


def filter_wrong_year():
    """A filtered search looks into the next year's filing of the company."""
    cells = corpus_layout.CorpusLayout.cells
    corpus_layout.CorpusLayout.cells = lambda self, companies, years: cells(
        self, companies, [year + 1 for year in years]
    )
    reach = pools.FilingsPool.reach

    def in_wrong_section(self, query, *fields):
        if query.sentence is None:
            return reach(self, query, *fields)
        names = list(self.numbers.section_number)
        section_id = names[self.layout.section_of[query.sentence]]
        head, section, item = section_id.partition("_section_")
        company_and_form, year = head.rsplit("_", 1)
        for other in (int(year) + 1, int(year) - 1):
            wrong = f"{company_and_form}_{other}{section}{item}"
            if wrong in self.numbers.section_number:
                members = self.numbers.members_of(self.numbers.section_number[wrong])
                return pools.Reach([], members, is_place=True)
        return reach(self, query, *fields)

    pools.FilingsPool.reach = in_wrong_section


def flatten_scores():
    """Every candidate gets the same score."""
    order = searching.order_candidates
    searching.order_candidates = lambda sentences, scores, depth: order(
        sentences, np.zeros(len(scores)), depth
    )


def randomise_order():
    """Every system ranks at random: what the gates must never pass."""
    for method in set(methods._METHODS.values()):
        method.find = _as_null


def _as_null(method, queries):
    null = {**method.system, "random_seed": method.system.get("random_seed") or 3}
    at_random = methods.AtRandom(null, methods.Methods(method.pool))
    return [at_random._found(query) for query in queries]


def drop_citations():
    """No answer names a source."""
    _change_answers(lambda answer: dataclasses.replace(answer, citations=()))


def invent_numbers():
    """Every answer ends in a figure that stands nowhere."""
    _change_answers(
        lambda answer: dataclasses.replace(
            answer, text=f"{answer.text.rstrip()} That is 61.73% of the plan."
        )
    )


def _change_answers(change):
    answered = extractive.measured_answers

    def changed(system, questions, contexts):
        for answer, *measured in answered(system, questions, contexts):
            yield (change(answer) if answer.outcome == "answered" else answer), *measured

    extractive.measured_answers = changed


def _change_vectors(change):
    embed = embeddings.embed_texts

    def embed_changed(*arguments, **settings):
        table = embed(*arguments, **settings).read_all()
        vectors = np.stack(table["vector"].to_numpy(zero_copy_only=False))
        changed = change(vectors).astype(np.float32)
        values = pa.array(list(changed), pa.list_(pa.float32()))
        return table.set_column(
            table.schema.get_field_index("vector"), "vector", values
        ).to_reader()

    embeddings.embed_texts = embed_changed


@dataclasses.dataclass(frozen=True)
class Expectation:
    """What a fault must turn red.

    ``first_model`` is the first that feels the fault. Where one of the gates checks the index that
    all systems search in, the build fails and what was searched for loses its trust. Where they
    are gates on a shipped system alone, it is shown below its limits, and the build passes.
    """

    fault: str
    gates: tuple[str, ...]
    first_model: str = "py_texts_embedded"
    breaks_index: bool = True


PLANTED = {
    "shuffled_vectors": shuffle_vectors,
    "nan_vectors": spoil_vectors,
    "shifted_ids": shift_ids,
    "truncated_index": truncate_index,
    "wrong_year_filter": filter_wrong_year,
    "constant_scores": flatten_scores,
    "random_order": randomise_order,
    "dropped_citations": drop_citations,
    "invented_numbers": invent_numbers,
}

EXPECTED = (
    # Each text is found by its own vector still, so only what a search is good for is lost.
    Expectation(
        "shuffled_vectors",
        ("dense_filtered_beats_random", "dense_open_beats_random"),
        breaks_index=False,
    ),
    Expectation("nan_vectors", ("unit_vectors", "dense_open_queries_failed_p1")),
    Expectation("shifted_ids", ("dense_open_self_at_1", "dense_open_index_recall")),
    Expectation("truncated_index", ("dense_open_index_coverage", "dense_open_self_at_1")),
    Expectation(
        "wrong_year_filter",
        (
            "dense_filter_violations",
            "dense_filtered_self_at_1",
            "dense_filtered_filter_violations_p3",
            "bm25_filtered_filter_violations_p3",
        ),
    ),
    Expectation("constant_scores", ("dense_filtered_self_at_1", "dense_open_self_at_1")),
    Expectation(
        "random_order",
        (
            "dense_filtered_self_at_1",
            "dense_open_self_at_1",
            "dense_filtered_beats_random",
            "dense_open_beats_random",
            "p2_dense_filtered_beats_random",
            "p2_dense_open_beats_random",
            "p3_dense_open_beats_random",
        ),
    ),
    Expectation(
        "dropped_citations",
        (
            "multi_path_citation_coverage",
            "multi_path_citation_correctness",
            "multi_path_cites_right_filing",
            "multi_path_claims_supported",
        ),
        first_model="py_questions_answered",
        breaks_index=False,
    ),
    Expectation(
        "invented_numbers",
        ("multi_path_unsupported_numbers", "multi_path_claims_supported"),
        first_model="py_questions_answered",
        breaks_index=False,
    ),
)
