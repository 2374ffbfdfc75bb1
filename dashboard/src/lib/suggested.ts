// How many of what a request asks for its reader has or can make: the form of an offer on it starts with that.
const suggested = new Map<number, number>()

export const suggestQuantity = (request: number, quantity: number) => suggested.set(request, quantity)

export const suggestedQuantity = (request: number): number | undefined => suggested.get(request)
