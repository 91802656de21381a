select * from rpt_compare_sample_sizes
