import { type Facts, innerWord, outerWord, type RecordFacts } from './facts.ts'
import {
  byId,
  type ExpectedAnswer,
  entriesOf,
  eventsOf,
  everything,
  languages,
  named,
  type Question,
  queryOf,
  type ReadPath,
  statuses,
} from './question.ts'
import * as see from './visibility.ts'

function oneEntry(entry: RecordFacts | undefined, { caller }: see.Asking): ExpectedAnswer {
  if (!entry) return { status: 400, code: 'rest_invalid_param' }
  return see.isReadable(caller, entry)
    ? { status: 200, shown: [{ id: entry.id }] }
    : { status: 403, code: `${entry.kind}-not-accessible` }
}

export const directoryPaths: readonly ReadPath[] = (['venue', 'organizer'] as const).flatMap(
  (kind): readonly ReadPath[] => {
    const isLinked = (facts: Facts, entry: RecordFacts, event: RecordFacts) =>
      (kind === 'venue' ? event.venues : event.organizers).includes(entry.groupId) && facts.records.includes(event)
    const list = (
      facts: Facts,
      query: string,
      isHeld: (entry: RecordFacts, caller: see.Caller) => boolean,
      language?: see.Asking['language'],
      status?: see.StatusAsked,
    ): Question => ({
      path: `/${kind}s?${everything}&${query}`,
      expect: (caller) => {
        if (!see.mayAsk(caller, status)) return { status: 400, code: 'rest_invalid_param' }
        const listed = see
          .listedEntries(facts, kind, { caller, language }, status)
          .filter((entry) => isHeld(entry, caller))
        return { status: 200, total: listed.length, shown: byId(listed.map(({ id }) => ({ id }))) }
      },
    })
    const counts = (facts: Facts, entry: RecordFacts, caller: see.Caller, isCounted: (event: RecordFacts) => boolean) =>
      eventsOf(facts).some(
        (event) => isLinked(facts, entry, event) && see.countsForEntries(caller, event) && isCounted(event),
      )
    return [
      {
        title: `${kind}s by id and slug`,
        questions: (facts) =>
          entriesOf(facts, kind).flatMap((entry) => [
            { path: `/${kind}s/${entry.id}`, expect: (caller) => oneEntry(entry, { caller }) },
            {
              path: `/${kind}s/by-slug/${entry.slug}`,
              expect: (caller) => oneEntry(see.bySlug(facts, kind, entry.slug, { caller }), { caller }),
            },
          ]),
      },
      {
        title: `${kind}s by status and language`,
        questions: (facts) =>
          statuses.flatMap((status) =>
            languages.map((language) =>
              list(facts, queryOf({ status, ml_language: language }), () => true, language, status),
            ),
          ),
      },
      {
        title: `${kind}s by each filter`,
        questions: (facts) => [
          ...[outerWord, innerWord].flatMap((word) =>
            entriesOf(facts, kind).map(({ number }) =>
              list(facts, `search=${word(number)}`, (entry) => entry.number === number),
            ),
          ),
          ...[true, false].map((has) =>
            list(facts, `has_events=${has}`, (entry, caller) => {
              return counts(facts, entry, caller, ({ status }) => !['draft', 'pending'].includes(status)) === has
            }),
          ),
          list(facts, 'only_with_upcoming=1', (entry, caller) => {
            return counts(facts, entry, caller, ({ isUpcoming, isHidden }) => isUpcoming && !isHidden)
          }),
          ...eventsOf(facts).map((event) => {
            const linked = list(facts, `event=${event.id}`, (entry, caller) =>
              see.nameableVersions(facts, caller, event).some((version) => isLinked(facts, entry, version)),
            )
            return { ...linked, expect: (caller: see.Caller) => named(facts, event, caller, linked) }
          }),
        ],
      },
    ]
  },
)
