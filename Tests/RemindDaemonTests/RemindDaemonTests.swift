import Testing
@testable import RemindDaemon
