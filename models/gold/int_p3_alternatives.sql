{%- set near = var('near_duplicate_jaccard') -%}
with

-- Rows of tables are alike: what else states a figure of theirs is known by its cells.
int_p3_evidence as (

    select * from {{ ref('int_p3_evidence') }}
    where coalesce(category not in ('M', 'T'), true)

),

sentences as (

    select * from {{ ref('sentences') }}

),

kpi_mentions as (

    select * from {{ ref('kpi_mentions') }}

),

risk_mentions as (

    select * from {{ ref('risk_mentions') }}

),

int_filings_asked as (

    select * from {{ ref('int_filings_asked') }}

),

evidence_sentences as (

    select distinct
        sentence_id,
        filing_id,
        sentence_text,
        text_hash,
        token_count,
        words
    from int_p3_evidence

),

-- Annual reports of one fiscal year, amended or not, answer the questions on it.
same_year as (

    select
        filing_id,
        filing_id as other_filing_id
    from evidence_sentences
    group by filing_id

    union

    select
        one.filing_id,
        other.filing_id as other_filing_id
    from int_filings_asked as one
    inner join int_filings_asked as other
        on one.year_filing_id = other.year_filing_id

),

-- Candidates of about the same length in the same filing; the same words in another
-- filing are said of another year or company, and are no evidence.
candidates as (

    select
        evidence_sentences.sentence_id as evidence_id,
        sentences.sentence_id,
        sentences.text_hash = evidence_sentences.text_hash as is_same_text,
        evidence_sentences.words as evidence_words,
        {{ word_set('sentences.sentence_text') }} as words
    from evidence_sentences
    inner join same_year
        on evidence_sentences.filing_id = same_year.filing_id
    inner join sentences
        on
            same_year.other_filing_id = sentences.filing_id
            and evidence_sentences.sentence_id <> sentences.sentence_id
            and {{ near }} * evidence_sentences.token_count <= sentences.token_count
            and {{ near }} * sentences.token_count <= evidence_sentences.token_count
            -- Near duplicates share a beginning or an end; comparing all pairs costs a
            -- hundred times as much and finds nothing more.
            and (
                left(evidence_sentences.sentence_text, 16)
                = left(sentences.sentence_text, 16)
                or right(evidence_sentences.sentence_text, 16)
                = right(sentences.sentence_text, 16)
                or evidence_sentences.text_hash = sentences.text_hash
            )

),

repeated as (

    select
        evidence_id,
        sentence_id,
        case when is_same_text then 'exact_duplicate' else 'near_duplicate' end
            as reason
    from candidates
    where
        is_same_text
        or (
            {{ jaccard('words', 'evidence_words') }} >= {{ near }}
            -- One word may turn the meaning round: they differ in short words at most.
            and {{ long_words_of('words') }} = {{ long_words_of('evidence_words') }}
            and {{ numbers_of('words') }} = {{ numbers_of('evidence_words') }}
        )

),

figures_described as (

    select
        evidence_sentences.sentence_id as evidence_id,
        kpi_mentions.cik_int,
        kpi_mentions.report_year,
        kpi_mentions.kpi_label,
        kpi_mentions.unit,
        kpi_mentions.value_low,
        kpi_mentions.value_high,
        list(same_year.other_filing_id) as filing_ids
    from evidence_sentences
    inner join kpi_mentions
        on
            evidence_sentences.sentence_id = kpi_mentions.sentence_id
            and kpi_mentions.is_company_level
    inner join same_year
        on evidence_sentences.filing_id = same_year.filing_id
    group by all

),

-- Another sentence of the filing states the same figure of the whole company, or the
-- filing of the next year states it again, as that of the year before.
said_again as (

    select
        figures_described.evidence_id,
        kpi_mentions.sentence_id,
        figures_described.kpi_label,
        figures_described.unit,
        figures_described.value_low,
        figures_described.value_high,
        'same_figure' as reason
    from figures_described
    inner join kpi_mentions
        on
            figures_described.cik_int = kpi_mentions.cik_int
            and figures_described.kpi_label = kpi_mentions.kpi_label
            and figures_described.unit = kpi_mentions.unit
            and kpi_mentions.is_company_level
            and (
                (
                    list_contains(
                        figures_described.filing_ids, kpi_mentions.filing_id
                    )
                    and figures_described.evidence_id <> kpi_mentions.sentence_id
                    and figures_described.value_low <= kpi_mentions.value_high
                    and figures_described.value_high >= kpi_mentions.value_low
                )
                or (
                    figures_described.report_year + 1 = kpi_mentions.report_year
                    and kpi_mentions.amount_role = 'level'
                    and figures_described.value_low <= kpi_mentions.prior_high
                    and figures_described.value_high >= kpi_mentions.prior_low
                )
            )

),

-- A change (N) is of the figure that both of its sentences state.
labels_of_changes as (

    select
        int_p3_evidence.question_id,
        kpi_mentions.kpi_label
    from int_p3_evidence
    inner join kpi_mentions
        on
            int_p3_evidence.sentence_id = kpi_mentions.sentence_id
            and kpi_mentions.is_company_level
    where int_p3_evidence.category = 'N'
    group by int_p3_evidence.question_id, kpi_mentions.kpi_label
    having count(distinct int_p3_evidence.sentence_id) >= 2

),

-- Risks of a topic are told in many sentences; each that is about it is an answer.
same_topic as (

    select
        described.sentence_id as evidence_id,
        other.sentence_id,
        'same_topic' as reason
    from risk_mentions as described
    inner join same_year
        on described.filing_id = same_year.filing_id
    inner join risk_mentions as other
        on
            same_year.other_filing_id = other.filing_id
            and described.risk_topic = other.risk_topic
            and described.sentence_id <> other.sentence_id
            and other.is_on_topic
    where described.is_telling

),

found as (

    select
        int_p3_evidence.question_id,
        same_topic.evidence_id,
        same_topic.sentence_id,
        same_topic.reason
    from int_p3_evidence
    inner join same_topic
        on int_p3_evidence.sentence_id = same_topic.evidence_id
    where int_p3_evidence.category in ('C', 'D', 'E')

    union all

    select
        int_p3_evidence.question_id,
        repeated.evidence_id,
        repeated.sentence_id,
        repeated.reason
    from int_p3_evidence
    inner join repeated
        on int_p3_evidence.sentence_id = repeated.evidence_id

    union all

    select
        int_p3_evidence.question_id,
        said_again.evidence_id,
        said_again.sentence_id,
        said_again.reason
    from int_p3_evidence
    inner join said_again
        on int_p3_evidence.sentence_id = said_again.evidence_id
    left join labels_of_changes
        on
            int_p3_evidence.question_id = labels_of_changes.question_id
            and said_again.kpi_label = labels_of_changes.kpi_label
    -- The figure asked for, not another that the same sentence states; a change (N) has
    -- its figures in two sentences.
    where
        int_p3_evidence.answer_type = 'numeric'
        and int_p3_evidence.answer_unit = said_again.unit
        and (
            labels_of_changes.question_id is not null
            or (
                int_p3_evidence.category is distinct from 'N'
                and int_p3_evidence.answer_numeric
                between said_again.value_low and said_again.value_high
            )
        )

),

judged_already as (

    select
        question_id,
        sentence_id
    from int_p3_evidence

)

-- What stands for one of several copies stands for the evidence that they are.
select
    found.question_id,
    found.sentence_id,
    int_p3_evidence.evidence_id,
    found.reason
from found
inner join int_p3_evidence
    on
        found.question_id = int_p3_evidence.question_id
        and found.evidence_id = int_p3_evidence.sentence_id
left join judged_already
    on
        found.question_id = judged_already.question_id
        and found.sentence_id = judged_already.sentence_id
where judged_already.question_id is null
qualify
    row_number() over (
        partition by found.question_id, found.sentence_id
        order by found.reason, int_p3_evidence.evidence_id
    ) = 1
