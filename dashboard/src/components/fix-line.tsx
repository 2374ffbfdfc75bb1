import { Button } from './ui/button'

type Props = { fix: { line: string; usual: boolean }; onUse: (line: string) => void }

/** Puts a line as it was probably meant in the place of what was typed. */
export function FixLine({ fix, onUse }: Props) {
  return (
    <Button
      variant="link"
      className="h-auto min-h-8 whitespace-normal p-0 text-start text-current underline pointer-coarse:min-h-11"
      onClick={() => onUse(fix.line)}
    >
      <span>
        Use <bdi>{fix.line}</bdi>
        {fix.usual && ', the usual price'}
      </span>
    </Button>
  )
}
