select * from rpt_answers_metrics
