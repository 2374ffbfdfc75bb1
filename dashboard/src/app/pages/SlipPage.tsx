import { WithPartner } from '@/features/trades/WithPartner'
import { SignedIn } from '../SignedIn'

/** The open trades with one partner. The number in the address is this market's, and says nothing about the Discord account. */
export default function SlipPage({ partner }: { partner: string }) {
  return (
    <div className="mx-auto max-w-6xl">
      <SignedIn>{() => <WithPartner partner={Number(partner)} />}</SignedIn>
    </div>
  )
}
