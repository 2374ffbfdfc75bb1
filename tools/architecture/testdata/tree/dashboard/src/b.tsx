import { A } from '@/a'
import { helper } from './test/helper'
export type B = A | typeof helper
