"""The command ``finrag serve``: evaluations asked for by programs, and marks made by people.

``queue.Queue`` runs one evaluation at a time in a child process, ``app`` is what answers over HTTP.
"""
