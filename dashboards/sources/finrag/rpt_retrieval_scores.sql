select * from rpt_retrieval_scores
