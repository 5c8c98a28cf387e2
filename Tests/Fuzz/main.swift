// libFuzzer, on the fuzzer by whose name this program is called: `make fuzz`.

/// `LLVMFuzzerRunDriver` of compiler-rt's FuzzerInterface.h.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ one: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt
Fuzzing.begin()
