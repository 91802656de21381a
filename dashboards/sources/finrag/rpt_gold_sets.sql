select * from rpt_gold_sets
