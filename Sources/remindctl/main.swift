import CCommit
import Glibc
import RemindCLI

exit(
    Program.main(
        count: CommandLine.argc, words: CommandLine.unsafeArgv,
        commit: String(cString: remindd_commit())))
