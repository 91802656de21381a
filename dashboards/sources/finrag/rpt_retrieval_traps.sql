select * from rpt_retrieval_traps
