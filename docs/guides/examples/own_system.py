"""A system of one's own, as small as can be: ranks sentences by the rare words they share.

python docs/guides/examples/own_system.py finrag.duckdb my_run.jsonl
"""

import json
import math
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import duckdb

TOP_K = 20


def words(text: str) -> set[str]:
    """The words and years of a text."""
    return set(re.findall(r"[a-z]{3,}|\d{4}", text.lower()))


database, target = sys.argv[1:]
with duckdb.connect(database, read_only=True) as warehouse:
    questions = warehouse.execute(
        "select item_id, question_text from gold.items where gold_set = 'p3' order by item_id"
    ).fetchall()
    # What the system may search: texts with company and year, under the ids it has to cite.
    sentences = warehouse.execute(
        "select sentence_id, company_name || ' ' || report_year || ' ' || sentence_text, "
        "sentence_text from sentences.sentences where not is_navigational order by sentence_id"
    ).fetchall()

having: dict[str, list[int]] = defaultdict(list)
for place, (_, searched, _) in enumerate(sentences):
    for word in words(searched):
        having[word].append(place)

with Path(target).open("w", encoding="utf-8") as stream:
    for item_id, question in questions:
        scores: Counter[int] = Counter()
        for word in words(question):
            for place in having[word]:
                scores[place] += math.log(len(sentences) / len(having[word]))
        best = sorted(scores, key=lambda place: (-scores[place], place))[:TOP_K]
        record = {
            "id": item_id,
            "predicted": sentences[best[0]][2] if best else "",
            "citations": [sentences[place][0] for place in best[:1]],
            "ranking": [
                {"sentence_id": sentences[place][0], "score": round(scores[place], 6)}
                for place in best
            ],
            "abstained": not best,
        }
        stream.write(json.dumps(record) + "\n")
