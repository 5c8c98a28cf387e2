import RemindAPI
import RemindCore
import Store

/// Taking back what many transactions did, such as a long import: one of them a turn, so that rings
/// and other clients come in between. A daemon that ends halfway leaves the rest of the step to the
/// next `undo`.
extension Engine {
    /// Where the answers to a call go.
    struct UndoAnswer: Sendable {
        let batch: Int
        let reply: @Sendable ([UInt8], Bool) -> Void
        let fail: @Sendable (APIError) -> Void
    }

    /// Takes the last step back and answers as it goes on.
    func undo(_ answer: UndoAnswer) {
        // Two calls at a time take back two steps, not halves of one.
        guard undoUnderWay == nil else { return run { $0.undo(answer) } }
        lastGroup = nil
        do throws(APIError) {
            guard let step = try storing({ try store.undoSteps(limit: 1).first }) else {
                throw .nothingToUndo
            }
            undoUnderWay = storeAge
            undoPart(of: step, isFirst: true, answer)
        } catch {
            answer.fail(error)
        }
    }

    private func undoPart(of step: UndoStep, isFirst: Bool, _ answer: UndoAnswer) {
        do throws(APIError) {
            guard undoUnderWay == storeAge else { throw .replacedStore(during: "the undo") }
            let undone = try storing { try commit { try undo(step, entries: 1) } }
            carryOut(undone)
            write(undone, isFirst: isFirst, batch: answer.batch, answer.reply)
            if undone.isWhole {
                undoUnderWay = nil
            } else {
                run { $0.undoPart(of: step, isFirst: false, answer) }
            }
        } catch {
            undoUnderWay = nil
            answer.fail(error)
        }
    }

    /// Takes a step back at once, in as many transactions as it was made in.
    func undoParts(of step: UndoStep) throws {
        var isWhole = false
        while !isWhole {
            let undone = try commit { try undo(step, entries: 1) }
            carryOut(undone)
            isWhole = undone.isWhole
        }
    }
}
