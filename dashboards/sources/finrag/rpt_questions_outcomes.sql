select * from rpt_questions_outcomes
