import { rich } from '@/lib/texts'
import { Button } from './ui/button'

type Props = { fix: { line: string; usual: boolean }; onUse: (line: string) => void }

/** Puts a line as it was probably meant in the place of what was typed. */
export function FixLine({ fix, onUse }: Props) {
  const line = <bdi>{fix.line}</bdi>
  return (
    <Button
      variant="link"
      className="h-auto min-h-8 whitespace-normal p-0 text-start text-current underline pointer-coarse:min-h-11"
      onClick={() => onUse(fix.line)}
    >
      <span>{fix.usual ? rich('parts_fix_usual', { line }) : rich('parts_fix', { line })}</span>
    </Button>
  )
}
