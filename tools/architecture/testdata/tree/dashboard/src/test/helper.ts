import { B } from '../b'
export const helper: B
