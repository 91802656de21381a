select * from rpt_overview_phases
