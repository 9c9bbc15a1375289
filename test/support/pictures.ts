import sharp from 'sharp'

/** Returns a picture of several colours, so that it does not compress to almost nothing. */
export async function picture(
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' = 'jpeg',
): Promise<Buffer> {
  const stripes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#2a6"/>
     <circle cx="30%" cy="40%" r="20%" fill="#fc3"/></svg>`,
  )
  return sharp(stripes, { limitInputPixels: false }).toFormat(format).toBuffer()
}

/** Returns a picture of 25 million pixels, the maximum of its format. Resizing it takes seconds on every machine. */
export async function slowPicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const small = sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#888', noise } })
  const bytes = await small.png().toBuffer()
  return sharp(bytes).resize(5000, 5000, { fit: 'fill' }).webp({ quality: 80, effort: 0 }).toBuffer()
}

/** Returns a multipart body with one file. */
export function form(bytes: Buffer, name = 'Photo été.jpg', fields: Readonly<Record<string, string>> = {}) {
  const boundary = 'boundary-of-a-test'
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(parts.join('') + head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
