import { client, read } from './client'

/** Everything that is stored about the user, as a file. */
export const fetchAccountExport = () => read(client.GET('/api/me/data', { parseAs: 'blob' }))

/** Has the browser save a file. */
export function saveFile(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000) // some browsers read it later
}
