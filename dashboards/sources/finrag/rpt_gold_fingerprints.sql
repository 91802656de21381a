select * from rpt_gold_fingerprints
