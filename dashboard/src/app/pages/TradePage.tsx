import { TradeView } from '@/features/trades/TradeView'
import { SignedIn } from '../SignedIn'
import NotFoundPage from './NotFoundPage'

/** One trade, for its two sides: anyone else sees what stands where nothing is. */
export default function TradePage({ id }: { id: string }) {
  return (
    <div className="mx-auto max-w-6xl">
      <SignedIn>{() => <TradeView id={Number(id)} missing={<NotFoundPage />} />}</SignedIn>
    </div>
  )
}
