select * from rpt_cost_stages
