import Glibc
import RemindDaemon

exit(Daemon.run(CommandLine.arguments))
