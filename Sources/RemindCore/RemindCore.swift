// RemindCore
