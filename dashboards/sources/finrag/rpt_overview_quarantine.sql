select * from rpt_overview_quarantine
