select * from rpt_question_passages
