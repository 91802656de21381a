"""Matches the places that answers cite with the evidence of their questions."""


def model(dbt, session):
    """Wire: what answers cite and what the gold names as evidence in, pairs of them out."""
    import finrag.scoring.citations

    place = "passage_id, document_id, document, page"
    gold = dbt.ref("int_references_named").order(f"item_id, evidence_id, {place}")
    cited = dbt.ref("int_references_cited").order(f"system_id, item_id, {place}")
    return finrag.scoring.citations.match_citations(cited.to_arrow_table(), gold.to_arrow_table())
