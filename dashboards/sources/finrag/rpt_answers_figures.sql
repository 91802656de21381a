select * from rpt_answers_figures
