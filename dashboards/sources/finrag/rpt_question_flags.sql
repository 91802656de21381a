select * from rpt_question_flags
