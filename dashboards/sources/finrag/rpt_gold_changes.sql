select * from rpt_gold_changes
