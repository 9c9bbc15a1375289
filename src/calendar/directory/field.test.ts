import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenOrganizer, givenVenue } from '../../../test/support/given.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { venues } from '../venues/venue.directory.ts'
import type { Field } from './field.ts'

/** A word that no other field contains. */
const wordOf = (name: string) => `begin${name}end`

/** A value that differs from that of a new record. */
function sampleOf({ kind, name }: Pick<Field<unknown>, 'kind' | 'name'>): unknown {
  const word = wordOf(name)
  return { line: `Text ${word}`, website: `https://club.example/${word}`, flag: false, degrees: 12.5 }[kind]
}

for (const { kind, plural, fields: table } of [venues, organizers]) {
  const fields = Object.values(table)
  const sent = Object.fromEntries(fields.map((field) => [field.name, sampleOf(field)]))

  test(`each field of the table of ${plural} is written, shown, recorded, shared and searched as the table says`, async (t) => {
    const app = await startTestApp(t)
    const given = kind === 'venue' ? givenVenue : givenOrganizer
    const { id } = await given(app)
    const translation = await given(app, { [kind]: 'Salle', ml_language: 'fr-CA', ml_translation_of: id })
    const blank = (await app.send({ path: `/${plural}/${translation.id}` })).body

    const written = await changed(app, `/${plural}/${id}`, sent)

    const other = (await app.send({ path: `/${plural}/${translation.id}` })).body
    const { changes } = await app.deps.storage.db
      .selectFrom('audit')
      .select('changes')
      .where('item_id', '=', id)
      .where('action', '=', 'update')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const recorded = JSON.parse(changes) as Record<string, { readonly after: unknown }>
    const found: string[] = []
    for (const { name, kind: form } of fields) {
      if (form !== 'line' && form !== 'website') continue
      const { body } = await app.send({
        path: `/${plural}?search=${encodeURIComponent(wordOf(name))}&ml_language=en-CA`,
      })
      if (body.total === 1) found.push(name)
    }
    const namesOf = (holds: (field: (typeof fields)[number]) => boolean) =>
      fields.flatMap((field) => (holds(field) ? [field.name] : []))
    const ofAll = (values: Readonly<Record<string, unknown>>) => fields.map(({ name }) => [name, values[name]])
    assert.deepEqual(ofAll(written), Object.entries(sent))
    assert.deepEqual(
      fields.map(({ name }) => [name, recorded[name]?.after]),
      Object.entries(sent),
    )
    assert.deepEqual(
      fields.map(({ name, isShared }) => [name, isShared ? sent[name] : blank[name]]),
      ofAll(other),
    )
    assert.deepEqual(found.toSorted(), namesOf(({ isSearched }) => isSearched).toSorted())
  })
}
