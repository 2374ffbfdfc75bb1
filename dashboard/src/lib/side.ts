/** The side of the board besides requests, which are the usual one. */
export type Side = 'sale' | 'both'

export function sideAt(params: URLSearchParams): Side | undefined {
  const side = params.get('side')
  return side === 'sale' || side === 'both' ? side : undefined
}
