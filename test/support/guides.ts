import { decodeEntities } from '../../src/base/text/escape.ts'

/** Returns the last program in each language of a guide, as a service at this address shows it. */
export async function programsOf(site: string, guide: string): Promise<Readonly<Record<string, string>>> {
  const answer = await fetch(`${site}/docs/${guide}/`)
  const blocks = (await answer.text()).matchAll(/<pre data-language="(\w+)"><code>(.*?)<\/code>/g)
  return Object.fromEntries([...blocks].map(([, language = '', code = '']) => [language, decodeEntities(code)]))
}
