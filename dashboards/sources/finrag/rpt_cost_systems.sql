select * from rpt_cost_systems
