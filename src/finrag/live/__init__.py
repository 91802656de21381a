"""One question, asked now: by the same reader, retrievers, contexts and answerers as a build's.

``engine.Engine`` answers, ``server`` shows it in a browser on this machine, ``terminal`` in one.
"""
