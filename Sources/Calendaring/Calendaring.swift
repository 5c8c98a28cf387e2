// Calendaring
