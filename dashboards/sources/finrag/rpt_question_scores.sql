select * from rpt_question_scores
