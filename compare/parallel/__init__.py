"""Searches spread over processes and machines: disjoint parts that provably make up the whole."""
