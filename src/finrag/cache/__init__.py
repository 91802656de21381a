"""Results of costly steps, cached on disk by the content that they were computed from.

``entries`` is the one form: a file or folder by its key, whole or not there, set aside when it is
damaged. Results of steps (``results``) and rows by key (``parts``: vectors, scores) are tables in
it; indexes are entries in the format of the library that searches them. Calls that were paid for
alone are rows of an SQLite file (``rows``): a call is claimed by one process before it is sent,
and a file that is whole or not there cannot say that.
"""
