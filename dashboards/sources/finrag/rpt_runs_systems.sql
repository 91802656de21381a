select * from rpt_runs_systems
