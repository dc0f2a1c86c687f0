"""Answers that can be checked: the search as a proof, and a small program that checks it.

``states.py`` (what follows from the model) and ``checker.py`` (what the file says) are all that
has to be trusted: about 200 lines of plain Python, the standard library and the model, no
engine. Whoever writes a certificate needs no trust at all.
"""
