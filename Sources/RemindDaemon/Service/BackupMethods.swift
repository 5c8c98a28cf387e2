import RemindAPI
import Store
import Varlink
import VarlinkWire

/// The methods about copies of the store: files are read and written on the queue of the backups.
extension RemindersService {
    var backupMethods: [String: Interface.Method] { [Backup.name: backup, Restore.name: restore] }

    private var backup: Interface.Method {
        { [backups = engine.backups] call, responder in
            let path = try call.parameters(as: Backup.Parameters.self).path
            backups.run { backups in
                do throws(APIError) {
                    let facts = try backups.make(at: Self.checked(path))
                    responder.reply(rawParameters: Self.object(path, facts))
                } catch {
                    responder.fail(VarlinkError(error))
                }
            }
        }
    }

    private var restore: Interface.Method {
        { [engine] call, responder in
            let path = try call.parameters(as: Restore.Parameters.self).path
            engine.backups.run { backups in
                do throws(APIError) {
                    let copy = try backups.stage(Self.checked(path))
                    engine.run { engine in
                        do throws(APIError) {
                            let kept = try engine.restore(copy)
                            responder.reply(rawParameters: Self.object(path, copy.facts, kept))
                        } catch {
                            responder.fail(VarlinkError(error))
                        }
                    }
                } catch {
                    responder.fail(VarlinkError(error))
                }
            }
        }
    }

    /// Where a client stands in the file system, the daemon does not know.
    private static func checked(_ path: String) throws(APIError) -> String {
        guard !path.hasPrefix("/") || !path.hasSuffix("/") else {
            throw .invalidArgument(
                "path", value: path, "‘\(path)’ is a folder.",
                hint: "Give the name of a file, such as ~/reminders-backup.db")
        }
        guard path.hasPrefix("/"), !path.contains("\0") else {
            throw .invalidArgument(
                "path", value: path, "‘\(path)’ is no absolute path of a file.",
                hint: "remindctl backup ~/reminders-backup.db")
        }
        return path
    }

    private static func object(
        _ path: String, _ facts: CopyFacts, _ kept: String? = nil
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("path", path)
            json.field("tasks", Int64(facts.tasks))
            json.field("open", Int64(facts.open))
            if let kept { json.field("keptAs", kept) } else { json.field("bytes", facts.bytes) }
        }
        return json.bytes
    }
}
