import Testing
@testable import RemindAPI
