import Testing
@testable import Popups
