select * from rpt_compare_consistency
