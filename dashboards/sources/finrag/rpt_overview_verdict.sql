select * from rpt_overview_verdict
