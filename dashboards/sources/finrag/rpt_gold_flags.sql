select * from rpt_gold_flags
