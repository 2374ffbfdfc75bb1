import {
  Anvil,
  Bone,
  BrickWall,
  ChefHat,
  Fish,
  FlaskConical,
  Flower2,
  Gem,
  Hammer,
  LayoutGrid,
  Leaf,
  type LucideIcon,
  PawPrint,
  Pickaxe,
  ScanEye,
  Scroll,
  Shield,
  Shirt,
  Store,
  Swords,
  TreePine,
  Wand,
} from 'lucide-react'
import { game } from '@/lib/game'

/** The icons that a game may use: core.Icons on the server. */
export const icons: Record<string, LucideIcon> = {
  leaf: Leaf,
  fish: Fish,
  'chef-hat': ChefHat,
  'flask-conical': FlaskConical,
  'flower-2': Flower2,
  'tree-pine': TreePine,
  hammer: Hammer,
  pickaxe: Pickaxe,
  bone: Bone,
  anvil: Anvil,
  'brick-wall': BrickWall,
  'scan-eye': ScanEye,
  'paw-print': PawPrint,
  store: Store,
  swords: Swords,
  gem: Gem,
  scroll: Scroll,
  shield: Shield,
  shirt: Shirt,
  wand: Wand,
}

const iconOf = new Map(game.professions.map(({ name, icon }) => [name, icons[icon]]))

/** The icon of a profession, or a generic one for none or a profession of another game. */
export function CategoryIcon({ category, className }: { category?: string; className?: string }) {
  const Icon = iconOf.get(category ?? '') ?? LayoutGrid
  return <Icon aria-hidden className={className} strokeWidth={1.75} />
}
