select * from rpt_runs_figures
