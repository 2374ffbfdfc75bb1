import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Alert, AlertDescription, AlertTitle } from '@/components/ui/alert'
import * as alertDialog from '@/components/ui/alert-dialog'
import { Avatar, AvatarFallback } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import * as card from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible'
import * as command from '@/components/ui/command'
import * as dialog from '@/components/ui/dialog'
import * as drawer from '@/components/ui/drawer'
import * as menu from '@/components/ui/dropdown-menu'
import * as empty from '@/components/ui/empty'
import * as field from '@/components/ui/field'
import * as form from '@/components/ui/form'
import { Input } from '@/components/ui/input'
import * as group from '@/components/ui/input-group'
import { Kbd, KbdGroup } from '@/components/ui/kbd'
import { Label } from '@/components/ui/label'
import { Popover, PopoverAnchor, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import { Progress } from '@/components/ui/progress'
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group'
import { ScrollArea, ScrollBar } from '@/components/ui/scroll-area'
import * as select from '@/components/ui/select'
import { Separator } from '@/components/ui/separator'
import * as sheet from '@/components/ui/sheet'
import { Skeleton } from '@/components/ui/skeleton'
import { Slider } from '@/components/ui/slider'
import { Spinner } from '@/components/ui/spinner'
import { Switch } from '@/components/ui/switch'
import * as table from '@/components/ui/table'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { Textarea } from '@/components/ui/textarea'
import { Toggle } from '@/components/ui/toggle'
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group'
import { Tooltip, TooltipContent, TooltipTrigger } from '@/components/ui/tooltip'

/** What each file of components/ui exports: the names of shadcn/ui. */
export const parts: Record<string, string[]> = {
  alert: ['Alert', 'AlertTitle', 'AlertDescription'],
  'alert-dialog': of('AlertDialog', '- Portal Overlay Trigger Content Header Footer Title Description Action Cancel'),
  avatar: of('Avatar', '- Image Fallback'),
  badge: ['Badge', 'badgeVariants'],
  button: ['Button', 'buttonVariants'],
  card: of('Card', '- Header Title Description Action Content Footer'),
  checkbox: ['Checkbox'],
  collapsible: of('Collapsible', '- Trigger Content'),
  command: of('Command', '- Dialog Input List Empty Group Item Shortcut Separator'),
  dialog: of('Dialog', '- Trigger Portal Close Overlay Content Header Footer Title Description'),
  drawer: of('Drawer', '- Trigger Portal Close Overlay Content Header Footer Title Description'),
  'dropdown-menu': of(
    'DropdownMenu',
    '- Portal Trigger Content Group Label Item CheckboxItem RadioGroup RadioItem Separator Shortcut Sub SubTrigger SubContent',
  ),
  empty: of('Empty', '- Header Media Title Description Content'),
  field: of('Field', '- Set Legend Group Content Label Title Description Separator Error'),
  form: ['useFormField', ...of('Form', '- Field Item Label Control Description Message')],
  input: ['Input'],
  textarea: ['Textarea'],
  label: ['Label'],
  'input-group': of('InputGroup', '- Addon Button Text Input Textarea'),
  kbd: ['Kbd', 'KbdGroup'],
  popover: of('Popover', '- Trigger Content Anchor'),
  progress: ['Progress'],
  'radio-group': ['RadioGroup', 'RadioGroupItem'],
  'scroll-area': ['ScrollArea', 'ScrollBar'],
  select: of('Select', '- Group Value Trigger Content Label Item Separator ScrollUpButton ScrollDownButton'),
  separator: ['Separator'],
  sheet: of('Sheet', '- Trigger Close Content Header Footer Title Description'),
  skeleton: ['Skeleton'],
  spinner: ['Spinner'],
  slider: ['Slider'],
  sonner: ['Toaster'],
  switch: ['Switch'],
  table: of('Table', '- Header Body Footer Head Row Cell Caption'),
  tabs: of('Tabs', '- List Trigger Content'),
  toggle: ['Toggle', 'toggleVariants'],
  'toggle-group': ['ToggleGroup', 'ToggleGroupItem'],
  tooltip: ['TooltipProvider', ...of('Tooltip', '- Trigger Content')],
}

function of(noun: string, rest: string): string[] {
  return rest.split(' ').map((part) => (part === '-' ? noun : noun + part))
}

/** Parts that draw nothing themselves, or only in a browser: an image once it is loaded, and the buttons of a list that is too long. */
export const undrawn = new Set([
  ...['badgeVariants', 'buttonVariants', 'toggleVariants', 'useFormField'],
  ...['AlertDialog', 'AlertDialogPortal', 'Dialog', 'DialogPortal', 'Drawer', 'DrawerPortal', 'Sheet', 'CommandDialog'],
  ...['DropdownMenu', 'DropdownMenuPortal', 'DropdownMenuSub', 'Popover', 'Select', 'Tooltip', 'TooltipProvider'],
  ...['Form', 'FormField', 'Toaster'],
  ...['AvatarImage', 'SelectScrollUpButton', 'SelectScrollDownButton'],
])

type Probe = (name: string) => object

function FormSample({ probe }: { probe: Probe }) {
  const values = useForm({ defaultValues: { name: '' }, errors: { name: { type: 'server', message: 'Wrong' } } })
  return (
    <form.Form {...values}>
      <form.FormField
        control={values.control}
        name="name"
        render={({ field: control }) => (
          <form.FormItem {...probe('FormItem')}>
            <form.FormLabel {...probe('FormLabel')}>Name</form.FormLabel>
            <form.FormControl {...probe('FormControl')}>
              <input name={control.name} value={control.value} onChange={control.onChange} />
            </form.FormControl>
            <form.FormDescription {...probe('FormDescription')}>As others see it</form.FormDescription>
            <form.FormMessage {...probe('FormMessage')} />
          </form.FormItem>
        )}
      />
    </form.Form>
  )
}

/** A sample of each file with all of its parts. */
export const samples: Record<string, (probe: Probe) => ReactNode> = {
  alert: (probe) => (
    <Alert {...probe('Alert')}>
      <AlertTitle {...probe('AlertTitle')} />
      <AlertDescription {...probe('AlertDescription')} />
    </Alert>
  ),
  'alert-dialog': (probe) => (
    <alertDialog.AlertDialog open>
      <alertDialog.AlertDialogTrigger {...probe('AlertDialogTrigger')} />
      <alertDialog.AlertDialogPortal>
        <alertDialog.AlertDialogOverlay {...probe('AlertDialogOverlay')} />
      </alertDialog.AlertDialogPortal>
      <alertDialog.AlertDialogContent {...probe('AlertDialogContent')}>
        <alertDialog.AlertDialogHeader {...probe('AlertDialogHeader')}>
          <alertDialog.AlertDialogTitle {...probe('AlertDialogTitle')} />
          <alertDialog.AlertDialogDescription {...probe('AlertDialogDescription')} />
        </alertDialog.AlertDialogHeader>
        <alertDialog.AlertDialogFooter {...probe('AlertDialogFooter')}>
          <alertDialog.AlertDialogCancel {...probe('AlertDialogCancel')} />
          <alertDialog.AlertDialogAction {...probe('AlertDialogAction')} />
        </alertDialog.AlertDialogFooter>
      </alertDialog.AlertDialogContent>
    </alertDialog.AlertDialog>
  ),
  avatar: (probe) => (
    <Avatar {...probe('Avatar')}>
      <AvatarFallback {...probe('AvatarFallback')} />
    </Avatar>
  ),
  badge: (probe) => <Badge {...probe('Badge')} />,
  button: (probe) => <Button {...probe('Button')} />,
  card: (probe) => (
    <card.Card {...probe('Card')}>
      <card.CardHeader {...probe('CardHeader')}>
        <card.CardTitle {...probe('CardTitle')} />
        <card.CardDescription {...probe('CardDescription')} />
        <card.CardAction {...probe('CardAction')} />
      </card.CardHeader>
      <card.CardContent {...probe('CardContent')} />
      <card.CardFooter {...probe('CardFooter')} />
    </card.Card>
  ),
  checkbox: (probe) => <Checkbox {...probe('Checkbox')} />,
  collapsible: (probe) => (
    <Collapsible open {...probe('Collapsible')}>
      <CollapsibleTrigger {...probe('CollapsibleTrigger')} />
      <CollapsibleContent {...probe('CollapsibleContent')} />
    </Collapsible>
  ),
  command: (probe) => (
    <command.Command {...probe('Command')}>
      <command.CommandInput {...probe('CommandInput')} />
      <command.CommandList {...probe('CommandList')}>
        <command.CommandGroup {...probe('CommandGroup')}>
          <command.CommandItem {...probe('CommandItem')}>
            Board
            <command.CommandShortcut {...probe('CommandShortcut')} />
          </command.CommandItem>
        </command.CommandGroup>
        <command.CommandSeparator {...probe('CommandSeparator')} />
      </command.CommandList>
      <command.Command>
        <command.CommandEmpty {...probe('CommandEmpty')} />
      </command.Command>
    </command.Command>
  ),
  dialog: (probe) => (
    <dialog.Dialog open>
      <dialog.DialogTrigger {...probe('DialogTrigger')} />
      <dialog.DialogPortal>
        <dialog.DialogOverlay {...probe('DialogOverlay')} />
      </dialog.DialogPortal>
      <dialog.DialogContent {...probe('DialogContent')}>
        <dialog.DialogHeader {...probe('DialogHeader')}>
          <dialog.DialogTitle {...probe('DialogTitle')} />
          <dialog.DialogDescription {...probe('DialogDescription')} />
        </dialog.DialogHeader>
        <dialog.DialogFooter {...probe('DialogFooter')}>
          <dialog.DialogClose {...probe('DialogClose')} />
        </dialog.DialogFooter>
      </dialog.DialogContent>
    </dialog.Dialog>
  ),
  drawer: (probe) => (
    <drawer.Drawer open>
      <drawer.DrawerTrigger {...probe('DrawerTrigger')} />
      <drawer.DrawerPortal>
        <drawer.DrawerOverlay {...probe('DrawerOverlay')} />
      </drawer.DrawerPortal>
      <drawer.DrawerContent {...probe('DrawerContent')}>
        <drawer.DrawerHeader {...probe('DrawerHeader')}>
          <drawer.DrawerTitle {...probe('DrawerTitle')} />
          <drawer.DrawerDescription {...probe('DrawerDescription')} />
        </drawer.DrawerHeader>
        <drawer.DrawerFooter {...probe('DrawerFooter')}>
          <drawer.DrawerClose {...probe('DrawerClose')} />
        </drawer.DrawerFooter>
      </drawer.DrawerContent>
    </drawer.Drawer>
  ),
  'dropdown-menu': (probe) => (
    <menu.DropdownMenu open>
      <menu.DropdownMenuTrigger {...probe('DropdownMenuTrigger')} />
      <menu.DropdownMenuContent {...probe('DropdownMenuContent')}>
        <menu.DropdownMenuLabel {...probe('DropdownMenuLabel')} />
        <menu.DropdownMenuGroup {...probe('DropdownMenuGroup')}>
          <menu.DropdownMenuItem {...probe('DropdownMenuItem')}>
            <menu.DropdownMenuShortcut {...probe('DropdownMenuShortcut')} />
          </menu.DropdownMenuItem>
          <menu.DropdownMenuCheckboxItem {...probe('DropdownMenuCheckboxItem')} />
        </menu.DropdownMenuGroup>
        <menu.DropdownMenuSeparator {...probe('DropdownMenuSeparator')} />
        <menu.DropdownMenuRadioGroup {...probe('DropdownMenuRadioGroup')}>
          <menu.DropdownMenuRadioItem value="rows" {...probe('DropdownMenuRadioItem')} />
        </menu.DropdownMenuRadioGroup>
        <menu.DropdownMenuSub open>
          <menu.DropdownMenuSubTrigger {...probe('DropdownMenuSubTrigger')} />
          <menu.DropdownMenuSubContent {...probe('DropdownMenuSubContent')} />
        </menu.DropdownMenuSub>
      </menu.DropdownMenuContent>
    </menu.DropdownMenu>
  ),
  empty: (probe) => (
    <empty.Empty {...probe('Empty')}>
      <empty.EmptyHeader {...probe('EmptyHeader')}>
        <empty.EmptyMedia {...probe('EmptyMedia')} />
        <empty.EmptyTitle {...probe('EmptyTitle')} />
        <empty.EmptyDescription {...probe('EmptyDescription')} />
      </empty.EmptyHeader>
      <empty.EmptyContent {...probe('EmptyContent')} />
    </empty.Empty>
  ),
  field: (probe) => (
    <field.FieldSet {...probe('FieldSet')}>
      <field.FieldLegend {...probe('FieldLegend')} />
      <field.FieldGroup {...probe('FieldGroup')}>
        <field.Field {...probe('Field')}>
          <field.FieldLabel {...probe('FieldLabel')} />
          <field.FieldContent {...probe('FieldContent')}>
            <field.FieldTitle {...probe('FieldTitle')} />
            <field.FieldDescription {...probe('FieldDescription')} />
          </field.FieldContent>
          <field.FieldError errors={[{ message: 'Wrong' }, { message: 'Wrong' }]} {...probe('FieldError')} />
        </field.Field>
        <field.FieldSeparator {...probe('FieldSeparator')} />
      </field.FieldGroup>
    </field.FieldSet>
  ),
  form: (probe) => <FormSample probe={probe} />,
  input: (probe) => <Input {...probe('Input')} />,
  textarea: (probe) => <Textarea {...probe('Textarea')} />,
  label: (probe) => <Label {...probe('Label')} />,
  'input-group': (probe) => (
    <group.InputGroup {...probe('InputGroup')}>
      <group.InputGroupInput {...probe('InputGroupInput')} />
      <group.InputGroupTextarea {...probe('InputGroupTextarea')} />
      <group.InputGroupAddon {...probe('InputGroupAddon')}>
        <group.InputGroupText {...probe('InputGroupText')} />
        <group.InputGroupButton {...probe('InputGroupButton')} />
      </group.InputGroupAddon>
    </group.InputGroup>
  ),
  kbd: (probe) => (
    <KbdGroup {...probe('KbdGroup')}>
      <Kbd {...probe('Kbd')} />
    </KbdGroup>
  ),
  popover: (probe) => (
    <Popover open>
      <PopoverAnchor {...probe('PopoverAnchor')} />
      <PopoverTrigger {...probe('PopoverTrigger')} />
      <PopoverContent {...probe('PopoverContent')} />
    </Popover>
  ),
  progress: (probe) => <Progress value={40} {...probe('Progress')} />,
  'radio-group': (probe) => (
    <RadioGroup {...probe('RadioGroup')}>
      <RadioGroupItem value="all" {...probe('RadioGroupItem')} />
    </RadioGroup>
  ),
  'scroll-area': (probe) => (
    <ScrollArea type="always" {...probe('ScrollArea')}>
      <ScrollBar forceMount orientation="horizontal" {...probe('ScrollBar')} />
    </ScrollArea>
  ),
  select: (probe) => (
    <select.Select open>
      <select.SelectTrigger {...probe('SelectTrigger')}>
        <select.SelectValue {...probe('SelectValue')} />
      </select.SelectTrigger>
      <select.SelectContent {...probe('SelectContent')}>
        <select.SelectGroup {...probe('SelectGroup')}>
          <select.SelectLabel {...probe('SelectLabel')} />
          <select.SelectItem value="all" {...probe('SelectItem')} />
        </select.SelectGroup>
        <select.SelectSeparator {...probe('SelectSeparator')} />
      </select.SelectContent>
    </select.Select>
  ),
  separator: (probe) => <Separator {...probe('Separator')} />,
  sheet: (probe) => (
    <sheet.Sheet open>
      <sheet.SheetTrigger {...probe('SheetTrigger')} />
      <sheet.SheetContent {...probe('SheetContent')}>
        <sheet.SheetHeader {...probe('SheetHeader')}>
          <sheet.SheetTitle {...probe('SheetTitle')} />
          <sheet.SheetDescription {...probe('SheetDescription')} />
        </sheet.SheetHeader>
        <sheet.SheetFooter {...probe('SheetFooter')}>
          <sheet.SheetClose {...probe('SheetClose')} />
        </sheet.SheetFooter>
      </sheet.SheetContent>
    </sheet.Sheet>
  ),
  skeleton: (probe) => <Skeleton {...probe('Skeleton')} />,
  spinner: (probe) => <Spinner {...probe('Spinner')} />,
  slider: (probe) => <Slider defaultValue={[40]} {...probe('Slider')} />,
  switch: (probe) => <Switch {...probe('Switch')} />,
  table: (probe) => (
    <table.Table {...probe('Table')}>
      <table.TableCaption {...probe('TableCaption')} />
      <table.TableHeader {...probe('TableHeader')}>
        <table.TableRow {...probe('TableRow')}>
          <table.TableHead {...probe('TableHead')} />
        </table.TableRow>
      </table.TableHeader>
      <table.TableBody {...probe('TableBody')}>
        <tr>
          <table.TableCell {...probe('TableCell')} />
        </tr>
      </table.TableBody>
      <table.TableFooter {...probe('TableFooter')} />
    </table.Table>
  ),
  tabs: (probe) => (
    <Tabs value="look" {...probe('Tabs')}>
      <TabsList {...probe('TabsList')}>
        <TabsTrigger value="look" {...probe('TabsTrigger')} />
      </TabsList>
      <TabsContent value="look" {...probe('TabsContent')} />
    </Tabs>
  ),
  toggle: (probe) => <Toggle {...probe('Toggle')} />,
  'toggle-group': (probe) => (
    <ToggleGroup type="single" {...probe('ToggleGroup')}>
      <ToggleGroupItem value="light" {...probe('ToggleGroupItem')} />
    </ToggleGroup>
  ),
  tooltip: (probe) => (
    <Tooltip open>
      <TooltipTrigger {...probe('TooltipTrigger')} />
      <TooltipContent {...probe('TooltipContent')} />
    </Tooltip>
  ),
}
