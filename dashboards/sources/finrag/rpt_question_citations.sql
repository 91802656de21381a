select * from rpt_question_citations
