select * from rpt_overview_questions
