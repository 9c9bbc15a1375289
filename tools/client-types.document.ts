import { PROBLEMS } from '../src/base/problems.ts'
import { startTestApp } from '../test/support/app.ts'
import { printTypes } from './client-types.print.ts'

/** The file with the types of the client. */
export const typesFile = new URL('../packages/client/src/api.generated.ts', import.meta.url)

/** The types of the client, generated from the documents that the service serves below `/docs`. */
export async function clientTypes(): Promise<string> {
  const ends: (() => unknown)[] = []
  const app = await startTestApp({ after: (end) => void ends.push(end as () => unknown) })
  try {
    const { body: contract } = await app.send({ path: '//docs/openapi.json' })
    const { body: service } = await app.send({ path: '//docs/service.json' })
    return printTypes({ contract, service }, Object.keys(PROBLEMS))
  } finally {
    for (const end of ends) await end()
  }
}
