// `npm run screens-discord` takes pictures of the messages that are seen most, as the stand-in draws them: each in light, in dark and
// at the width of a phone, in English and in German. They go to the folder that PICTURES names, or a temporary one.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { APIRequestContext, Page } from '@playwright/test'
import sharp from 'sharp'
import { discord, expect, test } from '../market'

const folder = process.env.PICTURES || mkdtempSync(join(tmpdir(), 'discord-pictures-'))
const looks = [
  { theme: 'light', width: 960, height: 1400 },
  { theme: 'dark', width: 960, height: 1400 },
  { theme: 'dark', width: 360, height: 1400 },
]

type Answer = { error?: string; message?: string; interaction?: string; modal?: { components: Part[] } }
type Part = {
  type: number
  id?: string
  custom_id?: string
  label?: string
  value?: string
  component?: Part
  components?: Part[]
  accessory?: Part
  options?: { value: string; default?: boolean }[]
}
type Message = { id: string; components: Part[]; content: string }
type State = {
  me: string
  players: { id: string; username: string; manager: boolean }[]
  channels: { id: string; name: string; kind: string; dm: boolean }[]
  messages: Message[]
}

/** A player of the stand-in, who acts without the page. */
class Actor {
  id = ''
  constructor(
    private readonly api: APIRequestContext,
    readonly username: string,
  ) {}

  async post(path: string, body: object): Promise<Answer> {
    const response = await this.api.post(`${discord()}/_standin/${path}`, { data: { player: this.id, ...body } })
    return response.json()
  }

  async state(channel = 'trading-post'): Promise<State> {
    const address = `${discord()}/_standin/state?player=${this.username}&channel=${encodeURIComponent(channel)}`
    return (await this.api.get(address)).json()
  }

  /** Runs a command in #trading-post and returns the number of its answer. */
  async slash(command: string, options: object = {}): Promise<string> {
    const channel = (await this.state()).channels.find(({ name }) => name === 'trading-post')?.id
    const answer = await this.post('command', { channel, command, options })
    if (answer.error) throw new Error(`/${command}: ${answer.error}`)
    return answer.message ?? ''
  }

  /** The newest message of a channel that contains a text, once it is there. */
  async message(channel: string, text: string): Promise<Message> {
    let found: Message | undefined
    await expect
      .poll(async () => {
        found = (await this.state(channel)).messages.findLast((one) => JSON.stringify(one).includes(text))
        return Boolean(found)
      }, `a message with ${text} in ${channel} of ${this.username}`)
      .toBe(true)
    return found as Message
  }

  /** Presses a button of a message; a form that opens is sent as it is, with what is given. */
  async press(channel: string, message: Message, action: string, fields: Record<string, string> = {}): Promise<string> {
    const customId = parts(message.components).find((part) =>
      `${part.custom_id}|`.startsWith(`1|${action}|`),
    )?.custom_id
    const at = channel === 'dm' ? channel : (await this.state(channel)).channels.find((one) => one.name === channel)?.id
    let answer = await this.post('press', { channel: at ?? channel, message: message.id, customId })
    if (answer.modal) {
      const inputs = parts(answer.modal.components).filter((part) => part.custom_id)
      const usual = inputs.map((one) => [one.custom_id, one.value ?? one.options?.find((o) => o.default)?.value ?? ''])
      answer = await this.post('submit', {
        channel: at ?? channel,
        interaction: answer.interaction,
        fields: { ...Object.fromEntries(usual), ...fields },
      })
    }
    if (answer.error) throw new Error(`${action}: ${answer.error}`)
    return answer.message ?? message.id
  }
}

/** All components, also those inside of others. */
const parts = (list: Part[]): Part[] =>
  list.flatMap((part) => [
    part,
    ...parts(part.components ?? []),
    ...parts(part.component ? [part.component] : []),
    ...parts(part.accessory ? [part.accessory] : []),
  ])

test.setTimeout(400_000)
for (const locale of ['en-US', 'de']) {
  test(`messages in ${locale}`, async ({ market }) => {
    const page = await market.visitor()
    const language = locale.slice(0, 2)
    const join = async (name: string) => {
      const actor = new Actor(page.request, `${name}_${language}`.toLowerCase())
      await page.request.post(`${discord()}/_standin/join`, { data: { name, username: actor.username } })
      actor.id = (await actor.state()).players.find(({ username }) => username === actor.username)?.id ?? ''
      await actor.post('settings', { locale })
      return actor
    }
    const shoot = (name: string, actor: Actor, channel: string, id: string) =>
      picture(page, `${name}-${language}`, `${actor.username}/${channel}`, id)
    const here = 'trading-post'
    const [buyer, seller] = [await join('Linnet'), await join('Hazel')]
    const item = language === 'de' ? 'Copper Ore' : 'Iron Ore'

    await seller.slash('market')
    await seller.press(here, await seller.message(here, 'panel-work'), 'settings')
    await seller.press(here, await seller.message(here, '1|watches'), 'watches')
    await seller.press(here, await seller.message(here, 'watch-new'), 'watch-new', { item })
    await shoot('watch-added', seller, here, (await seller.message(here, item)).id)
    const preview = await buyer.slash('request post', {
      item,
      quantity: '120',
      price: '2g 50s',
      importance: 'urgent',
      level: '20',
      description: 'For the guild hall. Any evening after eight.',
      ign: 'Linnet#4711',
    })
    await shoot('preview', buyer, here, preview)
    await buyer.press(here, await buyer.message(here, item), 'post')
    await shoot('posted', buyer, here, (await buyer.message(here, item)).id)
    await shoot('alert', seller, 'dm', (await seller.message('dm', item)).id)

    await shoot('card', seller, here, await seller.slash('request show', { request: item }).then(async (id) => id))
    await shoot('browse', seller, here, await seller.slash('request browse'))
    await shoot('no-matches', seller, here, await seller.slash('request browse', { search: 'moon cheese' }))
    await shoot('for-me-unset', buyer, here, await buyer.slash('request browse', { 'for-me': true }))
    await shoot('have', seller, here, await seller.slash('have', { item, quantity: '80', price: '2g' }))
    await shoot('fill', seller, here, await seller.slash('fill'))
    await shoot(
      'refusal',
      buyer,
      here,
      await buyer.slash('offer send', { request: item, quantity: '5', message: 'Tonight' }),
    )
    await shoot('unknown-name', buyer, here, await buyer.slash('request close', { request: 'Moon Cheese' }))

    const alert = await seller.message('dm', item)
    await seller.press('dm', alert, 'make-offer', { quantity: '40', message: 'Tonight at the forge?' })
    await shoot('offer-sent', seller, 'dm', (await seller.message('dm', '40')).id)
    const received = await buyer.message('dm', '40')
    await shoot('offer-received', buyer, 'dm', received.id)
    await buyer.press('dm', received, 'accept')
    await shoot('accepted-buyer', buyer, 'dm', received.id)
    const thread = await expect
      .poll(async () => (await seller.state()).channels.find(({ kind }) => kind === 'thread')?.id ?? '', 'a thread')
      .not.toBe('')
      .then(async () => (await seller.state()).channels.find(({ kind }) => kind === 'thread')?.id ?? '')
      .catch(() => '')
    if (thread) await shoot('thread', seller, thread, (await seller.message(thread, item)).id)
    else await shoot('accepted-seller', seller, 'dm', (await seller.message('dm', 'Linnet')).id)

    await buyer.slash('sales log', { request: item, quantity: '10', notes: 'From the market stall' })
    await shoot('sales', buyer, here, await buyer.slash('sales history', { request: item }))
    await shoot('mine', buyer, here, await buyer.slash('request mine'))
    await shoot('market', seller, here, await seller.slash('market'))
    const panel = await seller.message(here, 'panel-work')
    await shoot('trades', seller, here, await seller.press(here, panel, 'panel-trades'))
    await shoot('settings', seller, here, await seller.press(here, panel, 'settings'))
    const settings = await seller.message(here, 'inbox-open')
    await shoot('inbox', seller, here, await seller.press(here, settings, 'inbox-open'))
    await shoot('item', seller, here, await seller.slash('item look', { item }))
    await shoot('offers-none', seller, here, await seller.slash('offer list'))
  })
}

/** Takes one message in every look, beside each other in one picture. */
async function picture(page: Page, name: string, place: string, id: string) {
  const taken: { image: Buffer; width: number; height: number }[] = []
  for (const look of looks) {
    await page.setViewportSize(look)
    await page.goto(`${discord()}/`, { waitUntil: 'commit' })
    await page.evaluate((theme) => localStorage.setItem('theme', theme), look.theme)
    await page.goto(`${discord()}/#${place}`, { waitUntil: 'load' })
    await page.reload({ waitUntil: 'load' })
    const article = page.locator(`[data-id="${id}"] article`)
    await article.waitFor()
    const image = await article.screenshot({ animations: 'disabled' })
    const { width = 0, height = 0 } = await sharp(image).metadata()
    taken.push({ image, width, height })
  }
  const gap = 16
  let left = 0
  const beside = taken.map(({ image, width }) => {
    const at = { input: image, left, top: 0 }
    left += width + gap
    return at
  })
  mkdirSync(folder, { recursive: true })
  const height = Math.max(...taken.map((one) => one.height))
  await sharp({ create: { width: left - gap, height, channels: 3, background: '#808080' } })
    .composite(beside)
    .png({ palette: true })
    .toFile(join(folder, `${name}.png`))
}

test.afterAll(() => {
  console.log(`pictures are in ${folder}`)
})
