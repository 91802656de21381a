select * from rpt_retrieval_systems
