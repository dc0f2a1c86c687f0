"""The model language: items, options and what a solution is; knows no engine and no puzzle."""
