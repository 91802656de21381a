select * from rpt_question_details
