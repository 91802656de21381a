select * from rpt_gold_slices
