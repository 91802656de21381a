select * from rpt_overview_gate_details
