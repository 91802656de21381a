select * from rpt_compare_matrix
