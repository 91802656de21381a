{#- The sentences of the first page: one for the warehouse, then one per candidate. -#}
with

runs as (

    select * from {{ ref('runs') }}

),

release_verdicts as (

    select * from {{ ref('release_verdicts') }}

),

rpt_overview_gate_details as (

    select * from {{ ref('rpt_overview_gate_details') }}

),

returned_passages as (

    select * from {{ ref('returned_passages') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

recorded_runs as (

    select * from {{ ref('recorded_runs') }}

),

rpt_overview_candidates as (

    select * from {{ ref('rpt_overview_candidates') }}

),

sets_measured as (

    select
        system_id,
        bool_or(not is_public) as has_filings,
        list(distinct gold_set order by gold_set) filter (where is_public) as gold_sets
    from rpt_overview_candidates
    group by system_id

),

returned as (

    select
        system_id,
        sum(n_returned) as n_returned,
        sum(n_recognised) as n_recognised
    from returned_passages
    group by system_id

),

sound as (

    select count(*) as n_sound
    from item_slices
    where slice_name = 'sound'

),

questions as (

    select
        count(gold_p3.question_id) as n_questions,
        any_value(sound.n_sound) as n_sound
    from sound
    left join gold_p3
        on true

),

counted as (

    select
        {{ gate_counts() }},
        min(phase) filter (where not is_trusted) as first_untrusted_phase
    from rpt_overview_gate_details

),

last_record as (

    select
        run_id,
        max(recorded_at) as recorded_at
    from recorded_runs
    group by run_id

),

candidates as (

    select
        count(*) as n_candidates,
        count(*) filter (where headline = 'release') as n_release
    from release_verdicts
    where subject = 'candidate'

),

described as (

    select
        release_verdicts.*,
        first_gates.statement as first_gate,
        first_warnings.statement as first_warning,
        case
            when release_verdicts.subject = 'candidate'
                then
                    release_verdicts.system_id
                    || coalesce(
                        ' (version ' || release_verdicts.system_version || ')', ''
                    )
            when candidates.n_candidates = 1 then 'it'
            else 'them all'
        end as who,
        case
            when release_verdicts.n_broken = 1 then '1 error gate is broken: '
            else
                cast(release_verdicts.n_broken as varchar)
                || ' error gates are broken, first: '
        end as how_many,
        candidates.n_candidates,
        candidates.n_release,
        release_verdicts.subject = 'warehouse'
        or coalesce(sets_measured.has_filings, false) as is_of_filings,
        array_to_string(sets_measured.gold_sets[1:3], ', ')
        || case
            when len(sets_measured.gold_sets) > 3
                then
                    ' and '
                    || cast(len(sets_measured.gold_sets) - 3 as varchar)
                    || ' more'
            else ''
        end as public_sets,
        case
            when first_sets.n_recognised > 0 or first_sets.n_returned is null then null
            when first_sets.n_returned = 1
                then 'the 1 passage that it returned is not recognised as a passage'
            else
                'none of the ' || cast(first_sets.n_returned as varchar)
                || ' passages that it returned is recognised as a passage'
        end
        || ' of the corpus, so retrieval could not be measured. Return passages by '
        || 'their id in sentences.passages, or by their whole text'
            as why_unmeasured,
        case
            when returned.n_recognised < returned.n_returned
                then
                    ' ' || cast(returned.n_recognised as varchar) || ' of the '
                    || cast(returned.n_returned as varchar)
                    || ' passages that it returned are recognised.'
            else ''
        end as recognised
    from release_verdicts
    cross join candidates
    left join sets_measured
        on release_verdicts.system_id = sets_measured.system_id
    left join rpt_overview_gate_details as first_gates
        on release_verdicts.first_gate_id = first_gates.gate_id
    left join rpt_overview_gate_details as first_warnings
        on release_verdicts.first_warning_id = first_warnings.gate_id
    left join returned
        on release_verdicts.system_id = returned.system_id
    left join returned_passages as first_sets
        on
            release_verdicts.system_id = first_sets.system_id
            and first_gates.gold_set = first_sets.gold_set

),

worded as (

    select
        *,
        case
            when headline = 'cannot_be_trusted' and subject = 'candidate'
                then
                    'Nothing can be said of ' || who
                    || ': it was measured in a warehouse that cannot be trusted.'
            when headline = 'cannot_be_trusted'
                then
                    'The warehouse cannot be trusted: ' || how_many
                    || first_gate || '.'
            when headline = 'nothing_under_test'
                then
                    'No system of yours is under test. The shipped systems were '
                    || 'measured for reference.'
            when subject = 'warehouse'
                then
                    cast(n_release as varchar) || ' of '
                    || cast(n_candidates as varchar)
                    || case
                        when n_candidates = 1 then ' candidate'
                        else ' candidates'
                    end
                    || ' can be released.'
            when headline = 'do_not_release'
                then 'Do not release ' || who || ': ' || how_many || first_gate || '.'
            when headline = 'cannot_tell' and first_gate is null
                then
                    'Cannot tell whether ' || who
                    || ' can be released: no error gate judged it.'
            when headline = 'cannot_tell' and why_unmeasured is not null
                then
                    'Cannot tell whether ' || who || ' can be released: '
                    || why_unmeasured || '.'
            when headline = 'cannot_tell'
                then
                    'Cannot tell whether ' || who || ' can be released: '
                    || first_gate || coalesce(
                        '; at least ' || cast(n_needed as varchar)
                        || case
                            when n_needed = 1 then ' more question is needed'
                            else ' more questions are needed'
                        end, ''
                    ) || '.'
            else
                'Release ' || who || ': it passes '
                || case
                    when n_met = 1 then 'the 1 error gate'
                    else 'all ' || cast(n_met as varchar) || ' error gates'
                end
                || ' on it.'
        end as sentence
    from described

)

select
    runs.run_id,
    case when worded.subject = 'warehouse' then 0 else 1 end as place,
    worded.system_id,
    runs.corpus,
    runs.encoder,
    last_record.recorded_at,
    worded.headline as outcome,
    -- The badge beside it: only a release is green.
    case worded.headline
        when 'release' then 'pass'
        when 'cannot_tell' then 'too_few'
        when 'nothing_under_test' then 'not_applicable'
        else 'fail'
    end as verdict,
    worded.sentence as headline,
    'Measured on '
    || case
        when not worded.is_of_filings
            then
                coalesce(worded.public_sets, 'no public set')
                || ' and on no question on the filings'
        else
            case
                when runs.corpus = 'sample'
                    then 'the sample corpus, whose companies are fictional'
                else 'your filings'
            end
            || ': ' || cast(questions.n_sound as varchar) || ' sound questions of '
            || cast(questions.n_questions as varchar) || ' asked'
    end
    || '; encoder ' || runs.encoder || '.' || worded.recognised
    || case
        when worded.ungated = '' then ''
        else ' No error gate judged its ' || worded.ungated || '.'
    end
    || coalesce(' Warning: ' || worded.first_warning || '.', '') as measured_on,
    case
        when counted.n_pass = 0
            then 'No figure of this run is held by a gate.'
        when counted.first_untrusted_phase is null
            then
                'The checks of the machinery pass, so the figures below can be used.'
        else
            'Results from ' || counted.first_untrusted_phase
            || ' on do not count until this is fixed: an earlier phase fails.'
    end as trust,
    counted.first_untrusted_phase is null as is_trusted,
    counted.n_gates,
    counted.n_pass,
    counted.n_fail,
    counted.n_unmeasured,
    counted.n_too_few,
    counted.n_not_applicable,
    counted.n_waived,
    counted.n_errors,
    counted.n_warnings,
    counted.n_references
from worded
cross join counted
cross join runs
cross join questions
left join last_record
    on runs.run_id = last_record.run_id
