"""Why a puzzle has no answer, or more than one, and what would mend it."""
