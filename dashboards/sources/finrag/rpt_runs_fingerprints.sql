select * from rpt_runs_fingerprints
