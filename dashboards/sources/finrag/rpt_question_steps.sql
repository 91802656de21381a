select * from rpt_question_steps
