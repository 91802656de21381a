select * from rpt_runs_drifts
