select * from rpt_answers_outcomes
