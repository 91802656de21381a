select * from rpt_runs_baseline
