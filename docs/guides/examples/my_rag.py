"""Three ways in which a system of your own can be asked: a function, a runnable, an engine."""

import re
from typing import Any


def answer(question: str, companies: list[str], years: list[int]) -> dict[str, Any]:
    """Nothing is known but what the question says: it is declined unless it names a year."""
    if not years:
        return {"abstained": True}
    named = " and ".join(companies) or "The company"
    return {
        "answer": f"{named} does not say so for {years[0]}.",
        "ranking": [],
        "usage": {"input_tokens": len(question.split()), "output_tokens": 8},
    }


class Passage:
    """A passage as LangChain has it."""

    def __init__(self, page_content: str, metadata: dict[str, str]) -> None:
        self.page_content = page_content
        self.metadata = metadata


class Chain:
    """As a runnable of LangChain: a retriever and a model behind `invoke`."""

    def __init__(self, passages: list[Passage]) -> None:
        self.passages = passages

    def invoke(self, question: str) -> dict[str, Any]:
        """Return the passages that share most words with the question, and the first of them."""
        asked = set(re.findall(r"\w+", question.lower()))
        shared = [len(asked & set(re.findall(r"\w+", one.page_content))) for one in self.passages]
        order = sorted(range(len(self.passages)), key=lambda place: (-shared[place], place))
        found = [self.passages[place] for place in order[:10]]
        return {"answer": found[0].page_content, "context": found}


class Response:
    """A response as LlamaIndex has it."""

    def __init__(self, response: str, source_nodes: list[Passage]) -> None:
        self.response = response
        self.source_nodes = source_nodes


class Engine:
    """As a query engine of LlamaIndex: `query` returns a response with the nodes behind it."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain

    def query(self, question: str) -> Response:
        """Answer as the chain does."""
        found = self.chain.invoke(question)
        return Response(found["answer"], found["context"])


chain = Chain([Passage("The risk is low.", {"sentence_id": "S1"}), Passage("Sales rose.", {})])
engine = Engine(chain)
