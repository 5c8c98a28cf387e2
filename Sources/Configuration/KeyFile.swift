import CGLib

/// A parsed key file (GLib, “Key-value file parser”).
final class KeyFile {
    private let file = g_key_file_new()

    /// An empty one.
    init() {}

    /// `nil` when the text has a line that is none of the syntax (`g_key_file_load_from_data`).
    init?(_ text: String) {
        let text = text + "\n"
        guard
            g_key_file_load_from_data(file, text, gsize(text.utf8.count), G_KEY_FILE_NONE, nil) != 0
        else { return nil }
    }

    deinit { g_key_file_unref(file) }

    var groups: [String] { Self.texts(g_key_file_get_groups(file, nil)) }

    func keys(of group: String) -> [String] {
        Self.texts(g_key_file_get_keys(file, group, nil, nil))
    }

    /// The value with its escapes (`\s`, `\n`, `\t`, `\r`, `\\`) replaced; `nil` for an escape that
    /// there is not (`g_key_file_get_string`).
    func value(_ group: String, _ key: String) -> String? {
        var error: UnsafeMutablePointer<GError>?
        let value = g_key_file_get_string(file, group, key, &error)
        defer { g_free(value) }
        // A wrong escape is told of, and the value comes all the same.
        if let error {
            g_error_free(error)
            return nil
        }
        return value.map { String(cString: $0) }
    }

    private static func texts(
        _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> [String] {
        guard let list else { return [] }
        defer { g_strfreev(list) }
        var (texts, index) = ([String](), 0)
        while let text = list[index] {
            texts.append(String(cString: text))
            index += 1
        }
        return texts
    }
}
