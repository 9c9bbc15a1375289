import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { languageParameterNames } from '../../src/access/http/addresses.ts'
import { advanceSequence, lastGivenId } from '../../src/storage/database/copies/copy.sequences.ts'
import { copyTable, sequenceTables, type TableName, tableNames } from '../../src/storage/database/copies/copy.tables.ts'
import { startTestApp, type TestApp } from './app.ts'

export interface ExampleSite extends TestApp {
  /** Restores the initial state, including the next ids. */
  restore(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

/**
 * Starts the calendar of the examples in the OpenAPI document: it contains the records that they name, under the same
 * ids.
 */
export async function startExampleSite(
  t: Pick<TestContext, 'after'>,
  environment: Environment = {},
): Promise<ExampleSite> {
  const settings = { PUBLIC_URL: 'https://calendar.example.org', ...environment }
  const first = await startTestApp(t, settings)
  await fill(first)
  const app = await startTestApp(t, settings)
  const restore = () => copyContent(first, app)
  await restore()
  return { ...app, restore }
}

/** Both sites keep their users, each with their own passwords, and their audit entries. */
const kept: readonly TableName[] = ['users', 'application_passwords', 'audit']
const isContent = (table: TableName) => !kept.includes(table)

async function copyContent({ deps: { storage: source } }: TestApp, { deps: { storage } }: TestApp): Promise<void> {
  await storage.write(async (tx) => {
    for (const table of tableNames.filter(isContent).reverse()) await sql`delete from ${sql.table(table)}`.execute(tx)
    for (const table of tableNames.filter(isContent)) await copyTable({ from: source.db, to: tx }, table, () => {})
    for (const table of sequenceTables.filter(isContent)) {
      await advanceSequence(tx, storage.dialect, { table, id: await lastGivenId(source.db, source.dialect, table) })
    }
  })
}

/** In this order the records get ids 1 to 14, and the terms ids 1 to 4. */
async function fill(app: TestApp): Promise<void> {
  const words = languageParameterNames(app.deps.config)
  const given = async (path: string, json: Readonly<Record<string, unknown>>) => {
    const { status, text } = await app.send({ as: 'administrator', method: 'POST', path, json })
    assert.equal(status, 201, text)
  }
  const trashed = async (path: string) => {
    const { status, text } = await app.send({ as: 'administrator', method: 'DELETE', path })
    assert.equal(status, 200, text)
  }
  await given('/venues', {
    venue: 'Théâtre du Parc',
    description: 'A *grand* hall.',
    address: '4000, avenue du Parc-La Fontaine',
    city: 'Montréal',
    country: 'Canada',
    province: 'QC',
    zip: 'H2L 3M8',
    phone: '514-555-0100',
    website: 'https://theatre.example/',
    geo_lat: 45.527,
    geo_lng: -73.569,
  })
  await given('/venues', { venue: 'Salle B', city: 'Laval' })
  await given('/venues', { venue: 'Nouvelle salle', status: 'private' })
  await given('/venues', { venue: 'Ancien cinéma' })
  await trashed('/venues/4')
  await given('/organizers', {
    organizer: 'O’Neil Productions',
    description: 'We put on concerts.',
    phone: '514-555-0199',
    website: 'https://oneil.example/',
    email: 'info@oneil.example',
  })
  await given('/organizers', { organizer: 'Ville de Laval' })
  await given('/organizers', { organizer: 'Comité secret', status: 'private' })
  await given('/organizers', { organizer: 'Ancien club' })
  await trashed('/organizers/8')
  await given('/categories', { name: 'Music' })
  await given('/categories', { name: 'Rock', parent: 1 })
  await given('/tags', { name: 'kids' })
  await given('/tags', { name: 'free' })
  await given('/events', {
    title: 'Jazz in the Park',
    description: 'An evening of <b>jazz</b>.',
    excerpt: 'Jazz, outdoors.',
    start_date: '2030-05-03 19:00:00',
    end_date: '2030-05-03 22:00:00',
    timezone: 'America/Toronto',
    cost: '$10 - $20',
    website: 'https://jazz.example/',
    show_map: true,
    show_map_link: true,
    featured: true,
    categories: [1],
    tags: [3],
    venue: 1,
    organizer: [5],
  })
  await given('/events', {
    title: 'Story Hour',
    start_date: '2030-05-11 10:00:00',
    end_date: '2030-05-11 11:00:00',
    timezone: 'America/Toronto',
    cost: '0',
    tags: [4],
    venue: 2,
    organizer: [6],
  })
  const day = { start_date: '2030-05-20 09:00:00', end_date: '2030-05-20 12:00:00', timezone: 'America/Toronto' }
  await given('/events', { title: 'Rehearsal', ...day, status: 'private' })
  await given('/events', {
    title: 'Members Only',
    description: 'Behind the scenes.',
    ...day,
    event_password: 'open sesame',
  })
  await given('/events', { title: 'Cancelled Talk', ...day })
  await trashed('/events/13')
  await given(`/events?${words.language}=fr-CA`, { [words.translationOf]: 9, title: 'Du jazz au parc' })
}
