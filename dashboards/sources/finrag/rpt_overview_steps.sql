select * from rpt_overview_steps
