select * from rpt_questions_asked
