/**
 * Returns the text of a file that people have. Programs write UTF-8, UTF-16 with a mark, or the encoding of Windows, and
 * some cut UTF-8 within a sign: such a line must not spoil the others.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const whole = decodedLine(bytes)
  if (whole.isUtf8) return whole.text
  const loose = new TextDecoder().decode(bytes)
  const [good, bad] = [/[^\0-\x7f\ufffd]+/, '\ufffd'].map((sign) => loose.split(sign).length)
  if (Number(good) < Number(bad)) return whole.text
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  return lines.map((line) => decodedLine(Buffer.from(line, 'latin1')).text).join('\n')
}

const [strict, windows] = [new TextDecoder('utf-8', { fatal: true }), new TextDecoder('windows-1252')]

function decodedLine(bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } {
  try {
    return { text: strict.decode(bytes), isUtf8: true }
  } catch {
    return { text: windows.decode(bytes), isUtf8: false }
  }
}
