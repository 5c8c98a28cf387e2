/// Completing command lines in shells.
extension CommandTable {
    static let completions = Command(
        name: "completions", otherWords: ["completion", "complete"],
        summary: "Print the script that completes in a shell",
        details: [
            "The packages install it. By hand: source it in ~/.bashrc or ~/.zshrc, after compinit "
                + "there; in fish, write it to ~/.config/fish/completions/remindctl.fish."
        ],
        operands: [Operand(kind: .shell, count: .one)],
        examples: ["completions bash", "completions zsh", "completions fish"],
        run: Completing.run)
}
