select * from rpt_answers_failures
