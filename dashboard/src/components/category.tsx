import {
  Anvil,
  Bone,
  BrickWall,
  ChefHat,
  Fish,
  FlaskConical,
  Flower2,
  Hammer,
  LayoutGrid,
  Leaf,
  type LucideIcon,
  PawPrint,
  Pickaxe,
  ScanEye,
  Store,
  Swords,
  TreePine,
} from 'lucide-react'
import type { Category } from '@/api/types'

const icons: Record<Category, LucideIcon> = {
  Forager: Leaf,
  Fisher: Fish,
  Chef: ChefHat,
  Alchemist: FlaskConical,
  Botanist: Flower2,
  Woodcutter: TreePine,
  Carpenter: Hammer,
  Miner: Pickaxe,
  Bonewright: Bone,
  Blacksmith: Anvil,
  Stonemason: BrickWall,
  Detective: ScanEye,
  Leatherworker: PawPrint,
  Merchant: Store,
  Combat: Swords,
}

/** The sign of a profession; without one, that of all of them. */
export function CategoryIcon({ category, className }: { category?: Category; className?: string }) {
  const Icon = category ? icons[category] : LayoutGrid
  return <Icon aria-hidden className={className} strokeWidth={1.75} />
}
