"""One question, asked now, of the same reader, retrievers and answerers as in a build.

``engine.Engine`` answers, ``server`` shows it in a browser on this machine, ``terminal`` in one.
"""
