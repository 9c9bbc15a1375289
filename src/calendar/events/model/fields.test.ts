import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startTestApp } from '../../../../test/support/app.ts'
import { feedOf, textWriter } from '../../../../test/support/arbitraries/feed.arbitrary.ts'
import { openTestDatabase } from '../../../../test/support/database.ts'
import { auditedTables } from '../../../operate/audit/audited.fields.ts'
import { table } from '../../../publish/feeds/csv.ts'
import { events } from '../../../storage/database/schema/events.ts'
import { records } from '../../../storage/database/schema/records.ts'
import { searchedColumns } from '../../../storage/database/schema/table.ts'
import { EventSchema } from '../present/event.schema.ts'
import { eventChangeArguments, eventCreateArguments, eventPatchFrom } from './event.arguments.ts'
import { type CodedField, codedFields, valueFields } from './event.fields.ts'
import { argumentsOf, auditedEventTables, maskedMembers, sharedProperties } from './fields.derived.ts'

const coded: readonly (readonly [string, CodedField])[] = Object.entries(codedFields)
const values = Object.entries(valueFields.fields)
const valueNames = values.map(([, { name }]) => name)
const sorted = (names: Iterable<string>) => [...names].toSorted()

test('every argument, member of the JSON and column of CSV belongs to one field', () => {
  const [head = ''] = textWriter(table)(feedOf([])).text.slice(1).split('\r\n')
  const inCsv = values.flatMap(([, { name, cell }]) => (cell ? [name] : []))

  for (const args of [eventCreateArguments, eventChangeArguments]) {
    assert.deepEqual(
      sorted(Object.keys(args)),
      sorted([...coded.flatMap(([, field]) => Object.keys(field.arguments)), ...valueNames]),
    )
  }
  assert.deepEqual(
    sorted(Object.keys(EventSchema.properties)),
    sorted([...coded.flatMap(([, { members }]) => members), ...valueNames]),
  )
  assert.deepEqual(sorted(head.split(',')), sorted([...coded.flatMap(([, { csv }]) => csv), ...inCsv]))
})

test('every column of an event belongs to one field', async (t) => {
  const { storage, remove } = await openTestDatabase({})
  t.after(remove)
  // Columns that identify a record or one of its links, and derived columns.
  const aside = {
    records: ['id', 'kind', 'created_at', 'change_count', 'search_text'],
    events: ['record_id'],
    event_venues: ['event_id', 'position'],
    event_organizers: ['event_id', 'position'],
    event_terms: ['event_id'],
  }
  const tables = await storage.db.introspection.getTables()

  for (const [name, others] of Object.entries(aside)) {
    const stored = tables.find((one) => one.name === name)?.columns.map((column) => column.name) ?? []
    const named = coded.flatMap(([, { columns }]) => Object.keys(columns[name] ?? {}))
    const own = name === 'events' ? values.map(([, { column }]) => column) : []
    assert.deepEqual(sorted(stored), sorted([...others, ...named, ...own]), name)
  }
})

test('the audit log has the links of an event, and no name that is not a field', () => {
  const { items, parts } = auditedEventTables
  const names = new Set([
    ...coded.flatMap(([, { members, arguments: sent }]) => [...members, ...Object.keys(sent)]),
    ...valueNames,
  ])
  // Fields of the database that are not in the JSON of every event.
  for (const name of ['parent', 'language', 'translation_group', 'tickets']) names.add(name)

  assert.deepEqual(parts, {
    event_venues: { field: 'venue', shownAs: 'links' },
    event_organizers: { field: 'organizer', shownAs: 'links' },
    event_terms: { field: 'terms', shownAs: 'links' },
  })
  const unknown = Object.values(items).flatMap((columns) => Object.keys(columns).filter((name) => !names.has(name)))
  assert.deepEqual(unknown, [])
})

test('the audit log records exactly the columns that the tables of fields name', async (t) => {
  const { storage, remove } = await openTestDatabase({})
  t.after(remove)
  const { rows } =
    storage.dialect.name === 'sqlite'
      ? await sql<{ text: string }>`select sql as text from sqlite_master where type = 'trigger'`.execute(storage.db)
      : await sql<{ text: string }>`select pg_get_functiondef(oid) as text from pg_proc
          where proname like '%\\_audit\\_delete'`.execute(storage.db)

  for (const [name, columns] of Object.entries(auditedTables.items)) {
    // Not tables: the writes of series note these numbers themselves, and those of subscriptions what is subscribed to.
    if (name === 'series_dates' || name === 'subscriptions') continue
    const text = rows.find((row) => new RegExp(`\\b${name}_audit_delete\\b`).test(row.text))?.text ?? ''
    const [, json = ''] = text.match(/json_(?:build_)?object\((.*?)\) as text/s) ?? []
    const recorded = Object.fromEntries(
      [...json.matchAll(/'(\w+)', old\.(\w+)/g)].map(([, field = '', column = '']) => [field, column]),
    )
    const named = Object.fromEntries(Object.entries(columns).map(([field, { column }]) => [field, column]))
    assert.deepEqual(recorded, named, name)
  }
})

test('what a password hides are members of the event, and what is private among them has a mask', () => {
  const members = new Set(Object.keys(EventSchema.properties))

  assert.deepEqual(
    Object.keys(maskedMembers).filter((name) => !members.has(name)),
    [],
  )
  assert.deepEqual(
    values.flatMap(([, field]) =>
      'isOmitted' in field || Object.hasOwn(maskedMembers, field.name) ? [] : [field.name],
    ),
    [],
  )
})

test('values come back from their columns as they were stored, and change one by one', () => {
  const drawn = fc.record(
    Object.fromEntries(
      values.map(([property, { auditedAs, blank }]) => [
        property,
        auditedAs === 'flag' ? fc.boolean() : fc.constantFrom(blank, '', 'https://example.org/'),
      ]),
    ),
    { noNullPrototype: true },
  ) as fc.Arbitrary<typeof valueFields.blank>

  fc.assert(
    fc.property(drawn, drawn, fc.constantFrom(...valueFields.properties), (fields, other, property) => {
      const one = { [property]: other[property] }

      assert.deepEqual(valueFields.fromRow(valueFields.toRow(fields)), fields)
      assert.deepEqual(valueFields.changed(fields, {}), fields)
      assert.deepEqual(valueFields.changed(fields, one), { ...fields, [property]: other[property] ?? fields[property] })
    }),
  )
})

test('what was sent becomes a patch in the words of the domain, and is known by its names on the wire', () => {
  const sent = {
    ...Object.fromEntries(Object.keys(eventChangeArguments).map((name) => [name, undefined])),
    ...{ start_date: '2030-05-01 19:00', description: 'Text', event_password: 'x', hide_from_listings: true },
  } as Parameters<typeof eventPatchFrom>[0]

  const patch = eventPatchFrom(sent)

  assert.deepEqual(
    { ...patch },
    {
      ...Object.fromEntries(Object.keys(patch).map((name) => [name, undefined])),
      ...{ start: '2030-05-01 19:00', content: 'Text', password: 'x', isHidden: true },
    },
  )
  // Other names of the attendance.
  const { is_virtual, virtual_event_type, ...others } = eventChangeArguments
  assert.deepEqual(sorted(Object.keys(argumentsOf(patch))), sorted(Object.keys(others)))
})

test('translations share times, place, terms, picture and how an event is listed, and no text', () => {
  const shared = new Set(sharedProperties)
  const common = [
    ...['start', 'end', 'zone', 'isAllDay', 'imageId', 'venues', 'organizers', 'categories', 'tags'],
    ...['showMap', 'showMapLink', 'isHidden', 'isSticky', 'isFeatured'],
  ]
  const own = ['title', 'content', 'excerpt', 'slug', 'status', 'cost', 'website', 'authorId', 'date', 'password']

  assert.ok(shared.isSupersetOf(new Set(common)))
  assert.ok(shared.isDisjointFrom(new Set(own)))
})

test('a search covers each text that the tables say, after every write of it', async (t) => {
  const app = await startTestApp(t)
  const ofRecords = coded.flatMap(([, { columns, arguments: sent }]) =>
    searchedColumns(records).some((column) => Object.hasOwn(columns.records ?? {}, column)) ? Object.keys(sent) : [],
  )
  const ofEvents = values.flatMap(([, { name, column }]) => (searchedColumns(events).includes(column) ? [name] : []))
  const find = async (search: string) => (await app.send({ path: `/events?search=${search}` })).body.total
  const write = async (path: string, json: object) =>
    (await app.send({ as: 'administrator', method: 'POST', path, json })).body
  const times = { start_date: '2030-05-01 19:00', end_date: '2030-05-01 21:00' }

  assert.deepEqual(ofRecords, ['title', 'description', 'excerpt'])
  for (const name of [...ofRecords, ...ofEvents]) {
    const { id } = await write('/events', { title: 'Name', ...times, [name]: 'Bergamot' })
    assert.equal(await find('bergamot'), 1, name)
    await write(`/events/${id}`, name === 'title' ? { excerpt: 'Other' } : { title: 'Other' })
    assert.equal(await find('bergamot'), 1, name)
    await write(`/events/${id}`, { [name]: 'Vetiver' })
    assert.deepEqual([await find('bergamot'), await find('vetiver')], [0, 1], name)
    await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${id}` })
  }
})
