"""A-RAG: contain-match, and what a model's judgement says.

Source of the rules: ``scripts/eval.py`` of the A-RAG experiments. Its accuracies divide by the
rows of a predictions file; a question that failed before it was written there goes uncounted.
``metrics.metric_summaries`` gives each over what was judged and over what was asked.
"""


def contain_match(predicted: str, gold: str) -> bool:
    """Whether an answer holds the gold word for word.

    Case and the space around the gold do not count; all else does, so that ``$1,577.00`` does
    not hold ``$1577``. An empty gold is in every answer, and "5" is in "15".

    Args:
        predicted: What was answered.
        gold: What is right.

    Returns:
        Whether it does.
    """
    return gold.lower().strip() in predicted.lower()


def is_judged_right(verdict: str) -> bool:
    """Whether a judge's words mean right: they start with "correct", in any case.

    Args:
        verdict: What the judging model said.

    Returns:
        Whether they do; whatever starts otherwise is wrong.
    """
    return verdict.strip().lower().startswith("correct")
