"""The search as a proof, and estimates of its size: in the states of a certificate."""
