"""Results of costly steps, cached on disk by the content that they were computed from.

``entries`` is the common form: a file or folder found by its key, either complete or absent, and
renamed if it is damaged. Results of steps (``results``) and rows by key (``parts``: vectors,
scores) are sealed ``tables`` in it; indexes are entries in the format of the library that searches
them. Only paid calls are rows of an SQLite file (``rows``): one process claims a call before it
sends it, which a file that is complete or absent cannot express.
"""
