// RemindAPI
