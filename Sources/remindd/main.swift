import CCommit
import Glibc
import RemindDaemon

exit(Daemon.run(CommandLine.arguments, commit: String(cString: remindd_commit())))
