select * from rpt_runs_gates
