import Testing
@testable import Calendaring
