// Popups
