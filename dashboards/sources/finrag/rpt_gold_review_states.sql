select * from rpt_gold_review_states
