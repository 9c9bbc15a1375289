import sharp from 'sharp'
import { randomFrom } from '../tools/bench/random.ts'

const width = 1600
const height = 900

/** Draws a calm abstract picture: hills and a disc in one colour and its neighbours, the same for the same numbers. */
export async function drawCover(hue: number, seed: number): Promise<Buffer> {
  const random = randomFrom(seed)
  const between = (least: number, most: number) => Math.round(least + random() * (most - least))
  const colour = (turn: number, lightness: number) => `hsl(${(hue + turn + 360) % 360}, 46%, ${lightness}%)`
  const hills = [0, 1, 2, 3].map((place) => {
    const top = 330 + place * 140
    const [first, second, third, last] = [-60, 60, -40, 50].map((rise) => top + between(rise - 50, rise + 50))
    const path = `M0 ${first} C ${width / 3} ${second}, ${(2 * width) / 3} ${third}, ${width} ${last} V ${height} H 0 Z`
    return `<path d="${path}" fill="${colour(place * 7, 70 - place * 12)}"/>`
  })
  const disc = `<circle cx="${between(300, 1300)}" cy="${between(180, 330)}" r="${between(90, 170)}"
    fill="${colour(-24, 88)}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${colour(14, 78)}"/>
    <stop offset="1" stop-color="${colour(-14, 92)}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>${disc}${hills.join('')}</svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer()
}
