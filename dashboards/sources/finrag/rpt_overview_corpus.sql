select * from rpt_overview_corpus
