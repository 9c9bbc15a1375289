import type { Row } from './table.ts'

const width = 720
const height = 360
const left = 60
const bottom = 40
const colours = ['#0b6e4f', '#c84630', '#3d5a98', '#8a5a00', '#6b2d8f', '#00707a', '#444']

/**
 * Returns the curve of growth as an SVG: milliseconds of each measurement over the number of events, both logarithmic.
 */
export function growthChart(rows: readonly Row[]): string {
  const measured = rows.filter((row) => row.milliseconds !== undefined)
  const kinds = [...new Set(measured.map(({ what }) => what))]
  const sizes = [...new Set(measured.map(({ events }) => events))].toSorted((a, b) => a - b)
  const most = Math.max(1, ...measured.map((row) => row.milliseconds ?? 0))
  const least = Math.min(0.1, ...measured.map((row) => row.milliseconds ?? 1))
  const span = (value: number, from: number, to: number) =>
    to === from ? 0.5 : (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))
  const x = (events: number) => left + span(events, sizes[0] ?? 1, sizes.at(-1) ?? 1) * (width - left - 200)
  const y = (milliseconds: number) => height - bottom - span(milliseconds, least, most) * (height - bottom - 20)
  const ticks = [0.1, 1, 10, 100, 1000].filter((tick) => tick >= least && tick <= most)
  const lines = kinds.map((kind, place) => {
    const points = measured
      .filter(({ what }) => what === kind)
      .map((row) => `${x(row.events)},${y(row.milliseconds ?? 0)}`)
    const colour = colours[place % colours.length]
    const label = `<text x="${width - 190}" y="${30 + place * 18}" fill="${colour}">${kind}</text>`
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(' ')}"/>${label}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>Milliseconds over the number of events, both on a logarithmic scale</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${ticks.map((tick) => `<path d="M${left} ${y(tick)}H${width - 200}" stroke="#ddd"/><text x="8" y="${y(tick) + 4}">${tick} ms</text>`).join('\n')}
${sizes.map((size) => `<text x="${x(size) - 20}" y="${height - 14}">${size.toLocaleString('en')}</text>`).join('\n')}
${lines.join('\n')}
</svg>
`
}
