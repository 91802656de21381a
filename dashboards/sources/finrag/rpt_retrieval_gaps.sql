select * from rpt_retrieval_gaps
