select * from rpt_answers_hardest
