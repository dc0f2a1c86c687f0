"""Counting without visiting: state by state along an order of items."""
