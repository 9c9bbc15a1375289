// The colour of a site, for links and buttons. Contrast is that of WCAG 2.2, 1.4.3.

/** The backgrounds that leave the least contrast, `--tint` of both themes. */
const backgrounds = { light: '#eef2ef', dark: '#222a2c' } as const
const leastContrast = 4.5

/**
 * Reads a colour such as `#1d5c63`, and returns the style that sets it. In the dark theme it is as light as it has to be.
 *
 * @throws Error that names the nearest colour with enough contrast
 */
export function colourStyle(text: string): string | undefined {
  if (text === '') return undefined
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw new Error('a colour such as #1d5c63')
  const light = nearest(text, 'light')
  if (light !== text)
    throw new Error(`a colour with a contrast of ${leastContrast}:1 to light backgrounds; the nearest is ${light}`)
  const strong = 'color-mix(in srgb, var(--brand) 70%, light-dark(#000, #fff))'
  return `:root { --brand: light-dark(${light}, ${nearest(text, 'dark')}); --brand-strong: ${strong}; }\n`
}

/** Returns the nearest colour towards black, or white in the dark theme, that can be read. */
function nearest(colour: string, theme: keyof typeof backgrounds): string {
  const end = theme === 'light' ? 0 : 255
  const mixed = (percent: number) =>
    `#${channelsOf(colour)
      .map((channel) => Math.round(channel + ((end - channel) * percent) / 100))
      .map((channel) => channel.toString(16).padStart(2, '0'))
      .join('')}`
  const isReadable = (one: string) => contrastOf(one, backgrounds[theme]) >= leastContrast
  if (isReadable(colour)) return colour
  return mixed(
    Array.from({ length: 100 }, (_, percent) => percent).find((percent) => isReadable(mixed(percent))) ?? 100,
  )
}

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channelsOf(colour: string): readonly number[] {
  return [1, 3, 5].map((place) => Number.parseInt(colour.slice(place, place + 2), 16))
}
