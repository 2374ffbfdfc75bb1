// Pictures of a user interface have few colours: written with a palette they take a third of the room.
import { deflateSync, inflateSync } from 'node:zlib'

type Image = { width: number; height: number; pixels: Uint8Array } // three bytes a pixel

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Rewrites a PNG of eight bits a channel with at most 256 colours. */
export function withPalette(png: Buffer): Buffer {
  const image = decode(png)
  const palette = choosePalette(image)
  return encode(image, palette)
}

function decode(png: Buffer): Image {
  let width = 0
  let height = 0
  let channels = 3
  const data: Buffer[] = []
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const kind = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (kind === 'IHDR') {
      width = body.readUInt32BE(0)
      height = body.readUInt32BE(4)
      if (body[8] !== 8 || (body[9] !== 2 && body[9] !== 6))
        throw new Error('only RGB and RGBA of eight bits are known')
      channels = body[9] === 6 ? 4 : 3
    }
    if (kind === 'IDAT') data.push(body)
    at += length + 12
  }
  return { width, height, pixels: unfilter(inflateSync(Buffer.concat(data)), width, height, channels) }
}

function unfilter(raw: Buffer, width: number, height: number, channels: number): Uint8Array {
  const stride = width * channels
  const lines = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? (lines[y * stride + x - channels] ?? 0) : 0
      const above = y > 0 ? (lines[(y - 1) * stride + x] ?? 0) : 0
      const corner = x >= channels && y > 0 ? (lines[(y - 1) * stride + x - channels] ?? 0) : 0
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0
      lines[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  if (channels === 3) return lines
  return lines.filter((_, i) => i % 4 !== 3) // pictures of a page are opaque
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

const colorAt = (pixels: Uint8Array, i: number) =>
  ((pixels[i] ?? 0) << 16) | ((pixels[i + 1] ?? 0) << 8) | (pixels[i + 2] ?? 0)

function distance(a: number, b: number): number {
  const [r, g, bl] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)]
  return 2 * r * r + 4 * g * g + 3 * bl * bl
}

/** The commonest colours, skipping those that one already chosen nearly is. */
function choosePalette({ pixels }: Image): Map<number, number> {
  const counts = new Map<number, number>()
  for (let i = 0; i < pixels.length; i += 3) {
    const color = colorAt(pixels, i)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const byCount = [...counts].toSorted((a, b) => b[1] - a[1]).map(([color]) => color)
  const chosen: number[] = []
  for (const near of [160, 40, 0]) {
    for (const color of byCount) {
      if (chosen.length === 256) break
      if (chosen.every((other) => distance(color, other) > near)) chosen.push(color)
    }
  }
  const palette = new Map(chosen.map((color, index) => [color, index]))
  for (const color of byCount) {
    if (palette.has(color)) continue
    let best = 0
    for (let i = 1; i < chosen.length; i++) {
      if (distance(color, chosen[i] ?? 0) < distance(color, chosen[best] ?? 0)) best = i
    }
    palette.set(color, best)
  }
  return palette
}

function encode({ width, height, pixels }: Image, palette: Map<number, number>): Buffer {
  const lines = Buffer.alloc((width + 1) * height) // every line unfiltered
  const colors = Buffer.alloc(256 * 3)
  for (const [color, index] of [...palette].toReversed()) colors.writeUIntBE(color, index * 3, 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      lines[y * (width + 1) + 1 + x] = palette.get(colorAt(pixels, (y * width + x) * 3)) ?? 0
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(body.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc(named), named.length + 4)
  return framed
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

function crc(bytes: Buffer): number {
  let c = 0xffffffff
  for (const byte of bytes) c = (table[(c ^ byte) & 255] ?? 0) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}
