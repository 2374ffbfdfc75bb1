import { Component, type ReactNode } from 'react'
import { ErrorPanel } from '@/components/error-panel'
import { t } from '@/lib/texts'

type Props = { page: string; children: ReactNode }

/** Shows an error in the place of parts that cannot be loaded or drawn, until another page is opened. React would otherwise take
 * the whole page away. */
export class FailedParts extends Component<Props, { failed: boolean }> {
  state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })

  componentDidUpdate(before: Props) {
    if (this.state.failed && before.page !== this.props.page) this.setState({ failed: false })
  }

  render() {
    if (!this.state.failed) return this.props.children
    return <ErrorPanel text={t('app_load_failed')} query={{ refetch: () => location.reload() }} />
  }
}
