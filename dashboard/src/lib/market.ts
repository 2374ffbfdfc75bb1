// What the market knows: the same lists and limits as the server's core.

export const categories = [
  'Forager',
  'Fisher',
  'Chef',
  'Alchemist',
  'Botanist',
  'Woodcutter',
  'Carpenter',
  'Miner',
  'Bonewright',
  'Blacksmith',
  'Stonemason',
  'Detective',
  'Leatherworker',
  'Merchant',
  'Combat',
] as const

export const importances = ['low', 'medium', 'high', 'urgent'] as const

export const limits = {
  quantity: 1_000_000,
  level: 500,
  itemName: 100,
  description: 1000,
  contact: 64,
  inGameName: 64,
  sellerName: 64,
  message: 500,
  notes: 500,
  reason: 500,
} as const
