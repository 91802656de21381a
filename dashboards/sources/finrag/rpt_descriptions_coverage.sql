select * from rpt_descriptions_coverage
