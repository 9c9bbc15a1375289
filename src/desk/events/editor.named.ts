import { fold } from '../../base/text/fold.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { nameOf } from './event.json.ts'

/** Returns the venue or organizer with this name, as names are compared; undefined if there is none. */
export async function findNamed(
  { api }: OwnCall,
  kind: 'venue' | 'organizer',
  name: string,
): Promise<{ readonly id: number } | undefined> {
  const { status, body } = await api.events<Readonly<Record<string, readonly { readonly id: number }[]>>>({
    ...{ path: `/${kind}s`, query: { search: name, per_page: 100 } },
  })
  const found = status === 200 ? (body[`${kind}s`] ?? []) : []
  return found.find((one) => fold(nameOf(one)) === fold(name))
}
