"""Measures what a question takes: latency by stage and in all, calls, tokens and cost."""


def model(dbt, session):
    """Wire: what systems did and what that costs in any order, one row a system and set out."""
    import finrag.metrics.efficiency

    item, counts = "system_id, item_id", "input_tokens, output_tokens"
    set_of = f"{item}, gold_set"
    stages = f"{item}, unit, stage, stage_pos, latency_ms, n_in"
    outside = f"{item}, stages, latency_ms, {counts}, cost_usd, model, failure"
    question = "case when item_kind = 'question' then question_text end as question_text"
    total = "cast(coalesce(sum(token_count), 0) as bigint)"
    texts = dbt.ref("sentences").aggregate("text_hash, max(token_count) as token_count")
    texts, chunks = texts.aggregate(f"{total} as n_text_tokens"), dbt.ref("chunks")
    corpus = dbt.ref("filings").aggregate("count(*) as n_filings").cross(texts)
    known = finrag.metrics.efficiency.Known(
        systems=dbt.ref("registered_systems").order("system_id").to_arrow_table(),
        searched=dbt.ref("retrieval_outcomes").project(f"{set_of}, outcome").to_arrow_table(),
        stages=dbt.ref("query_stages").project(stages).to_arrow_table(),
        answers=dbt.ref("answers").project(f"{set_of}, outcome, latency_ms").to_arrow_table(),
        outside=dbt.ref("external_predictions").project(outside).to_arrow_table(),
        calls=dbt.ref("llm_calls").project(f"{item}, {counts}, price_usd").to_arrow_table(),
        prices=dbt.ref("llm_prices").to_arrow_table(),
        items=dbt.ref("items").project(f"item_id, gold_set, {question}").to_arrow_table(),
        sessions=dbt.ref("agent_steps").project(f"{item}, context_tokens").to_arrow_table(),
        contexts=dbt.ref("contexts").project(f"{item}, n_tokens").to_arrow_table(),
        verdicts=dbt.ref("answer_verdicts").project(f"{set_of}, is_right").to_arrow_table(),
        corpus=corpus.cross(chunks.aggregate(f"{total} as n_chunk_tokens")).to_arrow_table(),
    )
    meta = dbt.config.get("meta")
    return finrag.metrics.efficiency.measure_efficiency(known, meta["token"])
