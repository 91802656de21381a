select * from rpt_retrieval_coverage
