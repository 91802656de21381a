select * from rpt_cost_calls
