/** The page of an item: "/items/12/caric-adathril-ore". core.Item.Slug on the server does the same. */
export function itemAddress({ id, name }: { id: number; name: string }): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? ['item']
  return `/items/${id}/${encodeURIComponent(words.join('-'))}`
}
