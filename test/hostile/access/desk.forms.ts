import { ROLES, type Role } from '../../../src/access/auth/actor.ts'
import { ownRoutes } from '../../../src/desk/serving/desk.routes.ts'
import { tableBatches, tableNames } from '../../../src/storage/database/copies/copy.tables.ts'
import type { TestApp } from '../../support/app.ts'
import { formsIn } from '../desk.ts'
import { type Desk, deskPaths, pathsOf } from './desk.paths.ts'
import type { Facts, RecordFacts, RecordKind } from './facts.ts'
import { type Caller, isEditable } from './visibility.ts'

/** Whose forms are at an address below `/admin/`, and which record a number in it names. The first one that fits counts. */
const areas: readonly (readonly [address: RegExp, least: Role, kind?: RecordKind | 'each'])[] = [
  [/^(?:venues|organizers)\/(?:\{id\}\/)?merge\//, 'editor'],
  // Checks the links of what the caller may edit.
  [/^$/, 'contributor'],
  [/^(?:events|calendar)\//, 'contributor', 'event'],
  [/^series\//, 'contributor', 'series'],
  [/^venues\//, 'contributor', 'venue'],
  [/^organizers\//, 'contributor', 'organizer'],
  [/^trash\//, 'contributor', 'each'],
  [/^(?:categories|pictures)\//, 'author'],
  [/^(?:tags|import)\//, 'editor'],
  // The keys and sessions are those of the administrator.
  [/^(?:users|subscriptions|account\/(?:keys|sessions)\/\{)/, 'administrator'],
  [/^(?:account|sign-out)\//, 'subscriber'],
]

/** Forms that change nothing but what belongs to the caller. */
const ofCaller = /^\/admin\/(?:account\/(?:password|keys)|sign-out|events\/views(?:\/\{id\})?)\/$/
/** Forms that add something to what everybody may read. */
const adding = /\/(?:copy|new|rows)\/$/

/** What forms of the desk ask for, beyond what their pages show. */
const always = {
  ...{ sure: '1', anyway: '1', day: '2030-03-01', time: '10:00', into: '1', role: 'administrator' },
  ...{ 'title.en': 'Foreign', venue: 'Foreign', organizer: 'Foreign', name: 'Foreign', alt: 'Foreign' },
}

/** A form, and where it is sent. */
export interface Form {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Returns the forms that this caller may not send, from the tables of the desk: each one for each record, filled as an
 * administrator finds it. One that is added is sent as well, and fails until `areas` says whose it is.
 */
export async function refusedForms(admin: Desk, facts: Facts, caller: Caller): Promise<readonly Form[]> {
  const shown = new Map<string, Form['fields'][]>()
  const lists = ['events', 'venues', 'organizers', 'trash'].map((name) => `/admin/${name}/?status=any&from=`)
  for (const page of [...lists, '/admin/account/', '/admin/account/keys/', ...deskPaths(facts)]) {
    for (const { action, fields, deeds } of formsIn((await admin.get(page)).text, page)) {
      const each = deeds.length === 0 ? [fields] : deeds.map((to) => ({ ...fields, to }))
      shown.set(action, [...(shown.get(action) ?? []), ...each])
    }
  }
  const records: readonly RecordFacts<RecordKind>[] = [...facts.records, ...facts.templates]
  const forms = ownRoutes.flatMap(({ route, pattern, submit }): readonly Form[] => {
    if (!submit) return []
    const [, least, kind] = areas.find(([of]) => of.test(route.slice('/admin/'.length))) ?? []
    if (!least) throw new Error(`${route}: say in “areas” whose form it is.`)
    const isAllowed = ROLES.indexOf(caller as Role) >= ROLES.indexOf(least)
    if (isAllowed && (kind === undefined || ofCaller.test(route) || adding.test(route))) return []
    const actions = [...shown.keys()].filter((action) => pattern.test(action))
    if (kind === undefined) return [...new Set([...pathsOf(route), ...actions])].flatMap((path) => formsAt(path, shown))
    const own = isAllowed ? records.filter((record) => isEditable(caller, record)).map(({ id }) => String(id)) : []
    return records
      .filter((record) => (kind === 'each' || record.kind === kind) && !own.includes(String(record.id)))
      .flatMap(({ id, kind: of }) => {
        const named = { ids: `${id}`, only: `${id}`, ...(route.includes('{id}') ? {} : { id: `${id}` }) }
        const forms = formsAt(route.replace('{id}', `${id}`).replace('{kind}', `${of}s`), shown)
        // A button beside a date of a series changes that date.
        const refused = forms.filter(({ fields }) => !own.includes(/\.(\d+)$/.exec(fields.to ?? '')?.[1] ?? ''))
        return refused.map(({ path, fields }) => ({ path, fields: { ...fields, ...named } }))
      })
  })
  return forms.map(({ path, fields }, place) => ({ path: `${place % 2 === 0 ? '' : '/fr'}${path}`, fields }))
}

/** Returns the forms that an administrator finds for an address, or one that no page shows, without words of records. */
function formsAt(path: string, shown: ReadonlyMap<string, readonly Form['fields'][]>): readonly Form[] {
  return (shown.get(path) ?? [{}]).map((fields) => {
    const own = Object.entries({ version: '0', ...fields, ...always }).map(([name, value]) => [
      name,
      value.replace(/(?:outer|inner)\d+x|members-only/g, 'Foreign'),
    ])
    return { path, fields: Object.fromEntries(own) }
  })
}

/** Returns the rows of all tables, except when somebody was last here. */
export async function rowsIn({ deps }: TestApp): Promise<readonly string[]> {
  const all: string[] = []
  for (const name of tableNames) {
    for await (const rows of tableBatches(deps.storage.db, name))
      all.push(...rows.map((row) => `${name} ${JSON.stringify({ ...row, last_used_at: 0, last_seen_at: 0 })}`))
  }
  return all
}
