// RemindDaemon
