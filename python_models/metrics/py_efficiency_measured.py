"""Measures what a question takes: latency by stage and in all, calls, tokens and cost."""


def model(dbt, session):
    """Wire: what systems did and what that costs in, one row a system and gold set out."""
    import finrag.metrics.efficiency

    item, counts = "system_id, item_id", "input_tokens, output_tokens"
    systems = dbt.ref("registered_systems").project(
        "system_id, system_kind, encoder, chunk_vectors"
    )
    searched = dbt.ref("retrieval_outcomes").project(f"{item}, gold_set, outcome")
    stages = dbt.ref("query_stages").project(f"{item}, unit, stage, stage_pos, latency_ms, n_in")
    answers = dbt.ref("answers").project(f"{item}, gold_set, outcome, latency_ms")
    outside = dbt.ref("external_predictions").project(
        f"{item}, stages, latency_ms, {counts}, cost_usd, model, failure"
    )
    calls = dbt.ref("llm_calls").project(f"call_id, {item}, {counts}, price_usd")
    asked = "case when item_kind = 'question' then question_text end as question_text"
    items = dbt.ref("items").project(f"item_id, gold_set, {asked}")
    texts = dbt.ref("sentences").aggregate("text_hash, max(token_count) as n_tokens")
    n_texts = texts.aggregate("cast(coalesce(sum(n_tokens), 0) as bigint) as n_text_tokens")
    n_chunks = dbt.ref("chunks").aggregate(
        "cast(coalesce(sum(token_count), 0) as bigint) as n_chunk_tokens"
    )
    corpus = dbt.ref("filings").aggregate("count(*) as n_filings").cross(n_texts).cross(n_chunks)
    verdicts = dbt.ref("answer_verdicts").project(f"{item}, gold_set, is_right")
    known = finrag.metrics.efficiency.Known(
        systems=systems.order("system_id").to_arrow_table(),
        searched=searched.order(f"{item}, outcome").to_arrow_table(),
        stages=stages.order(f"{item}, unit, stage_pos, stage").to_arrow_table(),
        answers=answers.order(item).to_arrow_table(),
        outside=outside.order(item).to_arrow_table(),
        calls=calls.order(f"{item}, call_id").to_arrow_table(),
        prices=dbt.ref("llm_prices").order("model").to_arrow_table(),
        items=items.order("item_id").to_arrow_table(),
        sessions=dbt.ref("agent_steps").project(f"{item}, context_tokens").to_arrow_table(),
        contexts=dbt.ref("contexts").project(f"{item}, n_tokens").to_arrow_table(),
        verdicts=verdicts.order(item).to_arrow_table(),
        corpus=corpus.to_arrow_table(),
    )
    meta = dbt.config.get("meta")
    return finrag.metrics.efficiency.measure_efficiency(known, meta["token"])
