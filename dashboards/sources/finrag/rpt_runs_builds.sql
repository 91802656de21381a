select * from rpt_runs_builds
