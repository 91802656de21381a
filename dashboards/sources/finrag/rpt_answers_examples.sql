select * from rpt_answers_examples
