select * from rpt_compare_frontier
