// RemindCLI
