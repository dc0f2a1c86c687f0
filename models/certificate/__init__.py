"""Answers that can be checked: the search as a proof, and a small program that checks it.

``states.py`` and ``checker.py`` (with ``lines.py``, which reads the file) are all that has to be
trusted: plain Python, the standard library and the model, no engine. Whoever writes a certificate
needs no trust at all.
"""
