import { useParams } from 'react-router'
import { isOn } from '@/lib/site'
import { ItemPage } from './ItemPage'
import { ItemsPage } from './ItemsPage'
import NotFoundPage from './NotFoundPage'

/** The list of items, and the page of each. Without a catalogue there are none. */
export default function ItemsPages() {
  const { id } = useParams()
  if (!isOn('items')) return <NotFoundPage />
  return id ? <ItemPage key={id} id={Number(id)} /> : <ItemsPage />
}
