select * from rpt_answers_floors
