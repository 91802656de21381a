select * from rpt_gold_coverage
