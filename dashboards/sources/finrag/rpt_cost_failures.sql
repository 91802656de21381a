select * from rpt_cost_failures
