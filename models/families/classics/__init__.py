"""The classics that everyone tries first, one family in each module."""
