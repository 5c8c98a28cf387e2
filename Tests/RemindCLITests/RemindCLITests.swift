import Testing
@testable import RemindCLI
