import Testing
@testable import RemindCore
