select * from rpt_gold_flagged
