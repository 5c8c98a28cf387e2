import Testing
@testable import Timing
