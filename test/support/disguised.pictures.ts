import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import type { HostileFile } from './hostile.pictures.ts'
import { picture } from './pictures.ts'

/** A drawing that takes a renderer minutes: nested blurs, each over the whole of it. */
const drawing = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000"><filter id="f">${'<feTurbulence numOctaves="9"/><feGaussianBlur stdDeviation="90"/>'.repeat(40)}</filter><rect width="4000" height="4000" filter="url(#f)"/></svg>`,
)

/**
 * The drawing as RFC 1952 packs it, with `WEBP` at the offset of that format: in the bytes of the extra flags, the
 * system and the name.
 */
function packedDrawing(): Buffer {
  const sums = Buffer.alloc(8)
  sums.writeUInt32LE(crc32(drawing), 0)
  sums.writeUInt32LE(drawing.length, 4)
  const header = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0]), Buffer.from('WEBP\0')])
  return Buffer.concat([header, deflateRawSync(drawing), sums])
}

/** 7000 × 7000 pixels of one colour in 1199 bytes. Decoding and resizing it takes 1.3 GB of memory. */
export const vastAvif = inflateRawSync(
  Buffer.from(
    [
      'Y2BgkEkrqSxILMtMY2BgYMjNTDMEsXMzE0H8a7mpJYkMEKCYkZJTBGUzFGQmlzCgAaXMnPxkEMPFgYGRgREs9gtKMzBvZWBgUM7M',
      'zANbAxYVzcxLS2WC8hLLDAxBTL6CzJJcuJKwzIKiAgYGBovMguR8BgYGnsQyQ+dGe7AmkcziglSI4dIREMwgUJBZkQm2joODg4GB',
      'QSyzIBfmfkYGRuZGJmYGBua9uSmJJUIMXFz2n83Wby2bIHAh02gJu8CMlqMnL/uaHDp2oIEh5vwpre9iPE7dQlZJ2x3Zzoc1/OTq',
      'D7NZv7a4/l+/UrOQy6Jkvjknqmy+z1TyvGd5RP7AnnJ7g6fT9LhzgsXeFbQJ55XuSFZQmOr3wdKGT8TMuO8k1w7Gp0prhaOZPnp4',
      'OVSeP+Vet9xTR02hlWed5/fEqIuK++blz9k3jX1Zh2DTlfN1UVI/T4pPWrOzc1ng77sq89flbv1+5VLe9f/HPsjMNOmvcHnTN0Wc',
      '/Vd+5NQbImFffVJmz0ucbOqwXbCrPpphgcDW2VYaiWLf9vr3rG61e8x1p+jR7+Xah66F8wVZzflQAbFa+79RGLehcvUSfpaPHDc+',
      'eD9UODqjIMIr7tDb8lvnbqRa1O+qmbfe1fWtt8/J88zNt5r3CVX5+LpdXXUw+5u3d82TaNP1KvHfI/6xRVSX8AufMkh4cMaP+8fF',
      'JT3araVVq3tis5K0E45PS5nzwkHklN2GNqvIDnaOgvOn3NNe749/J6HXxs57uD3kyraWlk8GVtfUQ2aHHexVnnlR/JPNZMlQY3Ee',
      'Yxf50z48l1/Pv3pkGn9l4kv+mpIu1Z0mW7fG5p3/eCG1jHnzzh0pe6QrP3ikLVWwVGPt5A5efFb6/va0aZNak9kfSpbtKfEvDJ86',
      'kvxaOiB+7aCrPwMOAAA=',
    ].join(''),
    'base64',
  ),
)

/** Files whose signature is that of an accepted picture format, but whose content has another format. */
export async function disguisedFiles(): Promise<readonly HostileFile[]> {
  const tiff = await sharp(await picture(80, 60))
    .tiff({ compression: 'none' })
    .toBuffer()
  const [avif, png, jpeg] = await Promise.all(
    (['avif', 'png', 'jpeg'] as const).map((format) => picture(80, 60, format)),
  )
  const box = (size: number, brands: string) => {
    const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(`ftyp${brands}`)])
    bytes.writeUInt32BE(size)
    return bytes
  }
  const changed = (bytes: Buffer | undefined, at: number, text: string) => {
    const copy = Buffer.from(bytes ?? '')
    copy.write(text, at, 'latin1')
    return copy
  }
  return [
    { title: 'a drawing that says WEBP in the header of its packing', bytes: packedDrawing() },
    { title: 'a TIFF with WEBP as its first pixels', bytes: changed(tiff, 8, 'WEBP') },
    { title: 'a TIFF that says RIFF and WEBP', bytes: changed(changed(tiff, 8, 'WEBPVP8 '), 0, 'RIFF') },
    { title: 'a drawing that says RIFF and WEBP', bytes: Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), drawing]) },
    { title: 'a drawing behind brands of AVIF', bytes: Buffer.concat([box(20, 'avif\0\0\0\0avif'), drawing]) },
    { title: 'a JPEG behind brands of AVIF', bytes: Buffer.concat([box(20, 'avif\0\0\0\0avif'), jpeg ?? tiff]) },
    { title: 'brands of AVIF without an end', bytes: changed(avif, 0, '\xff\xff\xff\xfc') },
    { title: 'brands of AVIF of no size', bytes: changed(avif, 0, '\0\0\0\0') },
    { title: 'HEIC with AVIF inside', bytes: changed(avif, 8, 'heic') },
    {
      title: 'AVIF that is coded as HEVC',
      bytes: Buffer.from(String(avif?.toString('latin1')).replaceAll('av01', 'hvc1'), 'latin1'),
    },
    { title: 'a PNG without its first chunk', bytes: changed(png, 12, 'IDAT') },
    { title: 'a PNG of the kind that telephones keep', bytes: changed(png, 12, 'CgBI') },
    { title: 'JPEG XL', bytes: Buffer.from('\xff\x0a\x08\x10\x10\x09\x08\x06\x01\0', 'latin1') },
    {
      title: 'JPEG XL in boxes',
      bytes: Buffer.from('\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl \0\0\0\0jxl ', 'latin1'),
    },
    { title: 'JPEG 2000', bytes: Buffer.from('\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 \0\0\0\0jp2 ', 'latin1') },
    { title: 'a file of libvips', bytes: Buffer.concat([Buffer.from('\x08\xf2\xa6\xb6', 'latin1'), Buffer.alloc(96)]) },
    {
      title: 'Radiance',
      bytes: Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x80\x80\x80', 'latin1'),
    },
    { title: 'a picture of 49 million pixels in 1199 bytes', bytes: vastAvif },
  ]
}
