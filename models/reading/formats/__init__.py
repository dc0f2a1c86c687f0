"""Models in files: Knuth's ``.dlx``, our JSON, and exports for SAT and pseudo-Boolean solvers."""
