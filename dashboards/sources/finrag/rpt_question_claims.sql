select * from rpt_question_claims
