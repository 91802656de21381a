select * from rpt_answers_verdicts
