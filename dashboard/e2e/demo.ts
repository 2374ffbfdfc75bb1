import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../bin/tradepost', import.meta.url))
const patience = 60_000 * Number(process.env.PATIENCE || 1) // ms until the market must be open

/** Opens a market for the journeys, unless BASE_URL and DISCORD_URL already name one. Returns how to close it. */
export default async function openDemo() {
  if (process.env.BASE_URL && process.env.DISCORD_URL) return
  const demo = await startDemo()
  process.env.BASE_URL = demo.board
  process.env.DISCORD_URL = demo.discord
  return demo.close
}

/** A market of one's own, with settings of its own. */
export const startDemo = (...settings: string[]) => startDemoOf(program, ...settings)

/** The same with a program of one's own. */
export async function startDemoOf(program: string, ...settings: string[]) {
  if (!existsSync(program)) throw new Error('bin/tradepost is missing: run `make build` first')

  const data = mkdtempSync(join(tmpdir(), 'tradepost-e2e-'))
  const addresses = ['--listen', '127.0.0.1:0', '--discord-listen', '127.0.0.1:0']
  const demo = spawn(program, ['demo', ...addresses, '--data', data, ...settings], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const close = async () => {
    const gone = new Promise((resolve) => demo.once('exit', resolve))
    if (demo.exitCode === null && demo.kill('SIGTERM')) await gone
    rmSync(data, { recursive: true, force: true })
  }
  try {
    const said = await untilOpen(demo)
    return { board: addressAfter(said, 'the board'), discord: addressAfter(said, 'the stand-in Discord'), close }
  } catch (error) {
    await close()
    throw error
  }
}

function addressAfter(said: string, name: string): string {
  const address = said.match(new RegExp(`${name}\\s+(http://\\S+)`))?.[1]
  if (!address) throw new Error(`The demo did not say where ${name} is:\n${said}`)
  return address
}

function untilOpen(demo: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const fail = (why: string) => reject(new Error(`The demo ${why}:\n${said}`))
    const timer = setTimeout(() => fail('did not open in time'), patience)
    const hear = (words: Buffer) => {
      said += words
      if (said.includes('Ctrl-C')) {
        clearTimeout(timer)
        resolve(said)
      }
    }
    demo.stdout?.on('data', hear)
    demo.stderr?.on('data', hear)
    demo.once('exit', () => fail('ended'))
  })
}
