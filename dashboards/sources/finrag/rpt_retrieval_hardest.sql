select * from rpt_retrieval_hardest
