/** How long an accept, a sale, a closed request, a declined or a withdrawn offer can be undone. */
export const undoWindow = 10 * 60_000 // ms

export const canUndo = (at: string) => Date.now() - new Date(at).getTime() < undoWindow

/** Reports whether sales of a request can be undone: one that they filled is then open again. */
export const salesUndoable = (order: { closeReason: string | null }) => order.closeReason !== 'closed_early'
