// Varlink
