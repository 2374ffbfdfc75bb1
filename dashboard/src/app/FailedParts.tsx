import { Component, type ReactNode } from 'react'
import { ErrorPanel } from '@/components/error-panel'
import { t } from '@/lib/texts'

/** Shows an error in the place of parts that cannot be loaded or drawn, on the page where they failed. React would otherwise take
 * everything away. */
export class FailedParts extends Component<{ children: ReactNode }, { page?: string }> {
  state: { page?: string } = {}
  static getDerivedStateFromError = () => ({ page: location.pathname })

  render() {
    if (this.state.page !== location.pathname) return this.props.children
    return <ErrorPanel text={t('app_load_failed')} query={{ refetch: () => location.reload() }} />
  }
}
