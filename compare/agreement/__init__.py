"""Do the engines agree? The verdict, the digest of a set of solutions, records, small models."""
