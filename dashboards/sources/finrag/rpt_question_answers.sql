select * from rpt_question_answers
