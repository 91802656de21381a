select * from rpt_gold_reviews
