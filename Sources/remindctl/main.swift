import Glibc
import RemindCLI

exit(Program.main(count: CommandLine.argc, words: CommandLine.unsafeArgv))
