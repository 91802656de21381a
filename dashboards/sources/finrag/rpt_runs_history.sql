select * from rpt_runs_history
