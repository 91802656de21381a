"""Words questions anew with a language model, where one is configured."""


def model(dbt, session):
    """Wire: questions to vary in, checked variants out; answers go to the cache."""
    import finrag.questions.paraphrases

    meta = dbt.config.get("meta")
    names = "question_id, question_text, company_name as company_names, display_names, years"
    drawn = dbt.ref("int_p3_reviewed").filter("is_varied").project(names)
    questions = drawn.order("question_id").to_arrow_table()
    per_question = int(meta["paraphrases_per_question"])
    return finrag.questions.paraphrases.paraphrase_questions(
        questions, meta["paraphraser"], per_question, meta["state_dir"]
    )
