select * from rpt_answers_claims
