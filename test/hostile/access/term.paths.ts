import type { Facts, TermFacts } from './facts.ts'
import { byId, eventsOf, everything, named, type Question, type ReadPath } from './question.ts'
import * as see from './visibility.ts'

export const termPaths: readonly ReadPath[] = (['category', 'tag'] as const).flatMap(
  (taxonomy): readonly ReadPath[] => {
    const at = taxonomy === 'tag' ? '/tags' : '/categories'
    const list = (
      facts: Facts,
      query: string,
      isHeld: (term: TermFacts, caller: see.Caller) => boolean,
      /** The owner of the listed terms: an event shows all of its own. */
      as?: see.Caller,
    ): Question => ({
      path: `${at}?${everything}&${query}`,
      expect: (caller) => {
        const known = see.listedTerms(facts, taxonomy, { caller: as ?? caller })
        const listed = known.filter((term) => isHeld(term, caller))
        const shown = listed.map((term) => ({ id: term.id, count: see.countOf(facts, term) }))
        return { status: 200, total: listed.length, shown: byId(shown) }
      },
    })
    return [
      {
        title: `lists of ${at.slice(1)}`,
        questions: (facts) => [
          list(facts, 'hide_empty=false', () => true),
          list(facts, 'hide_empty=true', (term) => see.countOf(facts, term) > 0),
          ...['event', 'post'].flatMap((name) =>
            eventsOf(facts).map((event) => {
              const carried = list(
                facts,
                `${name}=${event.id}`,
                (term, caller) =>
                  see.nameableVersions(facts, caller, event).some(({ terms }) => terms.includes(term.groupId)),
                'administrator',
              )
              return { ...carried, expect: (caller: see.Caller) => named(facts, event, caller, carried) }
            }),
          ),
        ],
      },
      {
        title: `one of ${at.slice(1)}`,
        questions: (facts) =>
          facts.terms
            .filter((term) => term.taxonomy === taxonomy)
            .map((term) => ({
              path: `${at}/${term.id}`,
              expect: (caller) =>
                see.isTermShown(caller, term)
                  ? { status: 200, shown: [{ id: term.id, count: see.countOf(facts, term) }] }
                  : { status: 400, code: 'rest_invalid_param' },
            })),
      },
    ]
  },
)
