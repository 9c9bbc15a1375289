import assert from 'node:assert/strict'
import type { TestAnswer, TestApp } from './app.ts'

/** Requests a page as a browser does. */
export async function page(app: TestApp, path: string): Promise<TestAnswer> {
  const answer = await app.send({ path: `/${path}` })
  assert.match(String(answer.headers['content-type']), /^text\/html/, `${path}: ${answer.status} ${answer.text}`)
  return answer
}

/** Returns the headings of the events on a page, in order. */
export function titlesIn({ text }: TestAnswer): readonly string[] {
  return [...text.matchAll(/<h3><a [^>]*>([^<]*)<\/a>/g)].map(([, title = '']) => title)
}

/** Returns the text of the first element with this name. */
export function elementIn({ text }: TestAnswer, name: string): string | undefined {
  return new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(text)?.[1]
}

/** Returns the structured data of a page. */
export function dataIn({ text }: TestAnswer): Readonly<Record<string, unknown>> | undefined {
  const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
  return data === undefined ? undefined : JSON.parse(data)
}
