import { ROLES, type Role } from '../../src/auth/actor.ts'
import { createUser } from '../../src/auth/user.service.ts'
import type { ExampleSite } from '../support/example.site.ts'
import type { FuzzedDocument } from './document.ts'
import { faultOf } from './verdict.ts'
import { sendRaw, type WireAnswer, type WireRequest } from './wire.ts'

/** A site that listens, and is asked by hand. */
export interface Target {
  /** What is wrong with the answer to this request, and the answer. */
  judge(request: WireRequest): Promise<{ readonly fault: string | undefined; readonly answer: WireAnswer }>
  document(): Promise<FuzzedDocument>
  /** Brings the calendar back to how it was at the start. */
  restore(): Promise<void>
}

const mostMs = 1000

/** Lets the site listen, with credentials of its own for each role. */
export async function openTarget(site: ExampleSite): Promise<Target> {
  const url = new URL(await site.server.listen({ host: '127.0.0.1', port: 0 }))
  const credentials = new Map<Role, string>()
  for (const role of ROLES) {
    const name = `fuzz-${role}`
    const { secret } = await createUser(site.deps, { name, role, email: `${name}@example.org` })
    credentials.set(role, `Basic ${btoa(`${name}:${secret}`)}`)
  }
  const send = (request: WireRequest) => sendRaw(Number(url.port), request, credentials)
  return {
    restore: site.restore,
    document: async () => (await (await fetch(new URL('/docs/openapi.json', url))).json()) as FuzzedDocument,
    judge: async (request) => {
      const answer = await send(request)
      const fault = pollution() ?? faultOf(request, answer)
      return { answer, fault: fault ?? ((await isSlow(answer, () => send(request))) ? `over ${mostMs} ms` : undefined) }
    },
  }
}

/** The machine may have been busy with something else: only what is slow each time is slow. */
async function isSlow({ tookMs }: WireAnswer, again: () => Promise<WireAnswer>): Promise<boolean> {
  return tookMs > mostMs && (await again()).tookMs > mostMs && (await again()).tookMs > mostMs
}

/** What a request has put on all objects of this process, in which the service runs too; it is taken off again. */
function pollution(): string | undefined {
  const names = Object.keys(Object.prototype)
  for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  return names.length > 0 ? 'a changed prototype' : undefined
}
