// parked
