select * from rpt_retrieval_distances
