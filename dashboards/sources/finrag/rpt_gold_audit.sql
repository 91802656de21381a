select * from rpt_gold_audit
