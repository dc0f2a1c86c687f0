"""What several verbs share: flags, engines, output, progress, exit codes."""
