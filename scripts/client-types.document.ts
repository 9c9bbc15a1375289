import { PROBLEMS } from '../src/base/problems.ts'
import { startTestApp } from '../test/support/app.ts'
import { printTypes } from './client-types.print.ts'

/** The file with the types of the client. */
export const typesFile = new URL('../packages/client/src/api.generated.ts', import.meta.url)

/** Returns the types of the client, generated from the document that the service gives at `/docs/openapi.json`. */
export async function clientTypes(): Promise<string> {
  const ends: (() => unknown)[] = []
  const app = await startTestApp({ after: (end) => void ends.push(end as () => unknown) })
  try {
    const { body } = await app.send({ path: '//docs/openapi.json' })
    return printTypes(body, Object.keys(PROBLEMS))
  } finally {
    for (const end of ends) await end()
  }
}
