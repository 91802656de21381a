select * from rpt_compare_pairs
