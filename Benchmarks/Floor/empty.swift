// Nothing: what it takes to start a Swift program that is linked as remindctl is.
