select * from rpt_gold_evidence
