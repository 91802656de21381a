select * from rpt_runs_scorers
