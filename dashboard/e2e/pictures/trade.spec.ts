// `npm run picture` takes the README's moving picture: a trade through both adapters, side by side.
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { cardOf, discord as discordAddress, expect, find, test } from '../market'
import { atDiscord, messageWith, slash } from '../standin'

const file = fileURLToPath(new URL('../../../docs/screens/trade.webp', import.meta.url))
const half = { width: 620, height: 700 }
const beat = 1400 // milliseconds that a picture is shown

test('a trade through both adapters', async ({ market }) => {
  const options = { viewport: half, colorScheme: 'light', reducedMotion: 'reduce' } as const
  const itemName = 'Moonstone'
  const member = { name: 'Fern', username: 'fern' }
  const discord = await market.visitor(options)
  const board = await market.visitor(options)
  await board.request.post(`${discordAddress()}/_standin/join`, { data: member })
  const frames: { left: Buffer; right: Buffer; delay: number }[] = []
  const take = async (delay = beat) => {
    const [left, right] = await Promise.all([shot(discord), shot(board)])
    frames.push({ left, right, delay })
  }

  await atDiscord(discord, member.username, 'trading-post')
  await board.goto('/')
  await expect(board.getByRole('article').first()).toBeVisible()
  await take()

  // The buyer posts in Discord; the open board shows it.
  await discord.getByRole('textbox', { name: 'Message' }).fill('/request post')
  await take()
  await discord.getByRole('textbox', { name: 'Message' }).fill('')
  await slash(discord, 'request post', {
    item: itemName,
    quantity: '12',
    price: '1g 500s',
    importance: { pick: 'Urgent' },
  })
  const preview = messageWith(discord, itemName)
  await expect(preview.getByRole('button', { name: 'Post', exact: true })).toBeVisible()
  await take()
  await preview.getByRole('button', { name: 'Post', exact: true }).click()
  const card = cardOf(board, { itemName })
  await expect(card).toBeVisible()
  await take(2 * beat)

  // A visitor offers on the page; the buyer is notified in Discord.
  await find(board, { itemName })
  await card.getByRole('button', { name: 'Offer to Fulfill' }).click()
  const offer = board.getByRole('dialog', { name: 'Offer to Fulfill' })
  await offer.getByLabel('Your name').fill('Bramble')
  await offer.getByLabel('Discord username').fill('bramble')
  await offer.getByLabel('Message').fill('From my own vein')
  await offer.getByLabel('Quantity').fill('5')
  await take()
  await offer.getByRole('button', { name: 'Send Offer' }).click()
  await expect(offer.getByText('Your offer was sent')).toBeVisible()
  await take()
  await atDiscord(discord, member.username, 'dm')
  const message = messageWith(discord, itemName)
  await expect(message.getByRole('button', { name: 'Accept all 5' })).toBeVisible()
  await offer.getByRole('button', { name: 'Done' }).click()
  await expect(offer).toBeHidden()
  await take(2 * beat)

  // The buyer accepts with a button; the board moves.
  await message.getByRole('button', { name: 'Accept all 5' }).click()
  await expect(message).toContainText(`Accepted 5 × ${itemName}`)
  await expect(card).toContainText('7 of 12 left')
  await take(3 * beat)

  const gap = 12
  const pictures = await Promise.all(
    frames.map(({ left, right }) =>
      sharp({
        create: { width: 2 * half.width + gap, height: half.height, channels: 3, background: '#d8d2c4' },
      })
        .composite([
          { input: left, left: 0, top: 0 },
          { input: right, left: half.width + gap, top: 0 },
        ])
        .png()
        .toBuffer(),
    ),
  )
  await sharp(pictures, { join: { animated: true } })
    .webp({ quality: 70, effort: 6, loop: 0, delay: frames.map(({ delay }) => delay) })
    .toFile(file)
})

const shot = (page: Page) => page.screenshot({ animations: 'disabled', caret: 'hide' })
