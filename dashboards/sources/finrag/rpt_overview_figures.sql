select * from rpt_overview_figures
