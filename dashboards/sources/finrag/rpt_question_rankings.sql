select * from rpt_question_rankings
