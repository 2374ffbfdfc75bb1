import { useState } from 'react'
import { messageFor } from '@/api/client'
import type { Category, Skill } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import type { DialogProps } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useSkills } from '@/hooks/useSkills'
import { clampText } from '@/lib/clamp'
import { categories, categoryName, limits } from '@/lib/market'
import { t } from '@/lib/texts'

/** The user's level in each profession. */
export default function SkillsDialog({ open, onClose, user }: DialogProps) {
  const { skills, isPending, save } = useSkills(true)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent
        title={t('common_my_skills')}
        description={user ? t('finding_skills_help') : t('finding_skills_help_browser')}
        className="sm:max-w-xl"
      >
        {!isPending && <SkillsForm skills={skills} save={save} onClose={onClose} />}
      </DialogContent>
    </Dialog>
  )
}

type FormProps = {
  skills: readonly Skill[]
  save: (skills: Skill[], key: string) => Promise<void>
  onClose: () => void
}

function SkillsForm({ skills, save, onClose }: FormProps) {
  const [levels, setLevels] = useState(() => new Map(skills.map(({ category, level }) => [category, String(level)])))
  const [state, setState] = useState<{ saving?: boolean; error?: unknown }>({})
  const writes = useIdempotencyKey<Skill[]>()

  async function submit(event: React.FormEvent) {
    event.preventDefault()
    setState({ saving: true })
    const given = categories.flatMap((name) => {
      const level = Number(levels.get(name as Category))
      return level ? [{ category: name as Category, level }] : []
    })
    try {
      await writes.once(given, save)
      onClose()
    } catch (error) {
      setState({ error })
    }
  }

  return (
    <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <DialogBody className="grid content-start gap-4">
        <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
          {categories.map((name, i) => (
            <label key={name} htmlFor={`skill-${name}`} className="flex items-center gap-2.5 text-sm">
              <CategoryIcon category={name} className="size-5 shrink-0 text-muted-foreground" />
              <span className="min-w-0 flex-1 truncate">{categoryName(name)}</span>
              <Input
                id={`skill-${name}`}
                // The dialog opens before the levels are known, and has no field to start with.
                autoFocus={i === 0 && !matchMedia('(pointer: coarse)').matches}
                type="number"
                inputMode="numeric"
                min={1}
                max={limits.level}
                placeholder={t('finding_no_level')}
                className="h-9 w-24 pointer-coarse:h-11"
                value={levels.get(name as Category) ?? ''}
                onChange={(event) =>
                  setLevels(new Map(levels).set(name as Category, clampText(event.target.value, 0, limits.level)))
                }
              />
            </label>
          ))}
        </div>
        {state.error !== undefined && <Notice>{messageFor(state.error, t('finding_skills_failed'))}</Notice>}
      </DialogBody>
      <DialogFooter>
        <Button type="button" variant="ghost" className="max-sm:h-11" onClick={onClose}>
          {t('common_cancel')}
        </Button>
        <Button type="submit" className="max-sm:h-11" disabled={state.saving}>
          {state.saving ? t('common_saving') : t('finding_save_skills')}
        </Button>
      </DialogFooter>
    </form>
  )
}
