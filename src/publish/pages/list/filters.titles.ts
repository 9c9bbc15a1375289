import { mayRead } from '../../../access/auth/policy.ts'
import { itemsOf, maxChosen } from '../../../access/http/arguments/argument.rules.ts'
import { chooseVersion, fullLanguageChain } from '../../../base/languages/chain.ts'
import { decodeEntities, htmlToText } from '../../../base/text/escape.ts'
import { listEntryVersions } from '../../../calendar/directory/directory.repository.ts'
import { listNamedTerms } from '../../../calendar/terms/term.former.ts'
import { listMatchingTerms } from '../../../calendar/terms/term.lookup.repository.ts'
import { createTermMatcher, termReferenceFromText } from '../../../calendar/terms/term.match.ts'
import type { Taxonomy, Term } from '../../../calendar/terms/term.ts'
import { isTermVisibleTo } from '../../../calendar/terms/term.visibility.ts'
import { listVersions } from '../../../calendar/translations/group.repository.ts'
import { venues } from '../../../calendar/venues/venue.directory.ts'
import type { PageCall } from '../frame/page.ts'

// Labels of filters on a page: the names of the records in the language of the page. Addresses contain slugs.

function preferenceOf({ language, deps }: PageCall) {
  return fullLanguageChain(language, deps.config)
}

/**
 * Returns the names of the terms of a filter, or undefined if a visitor may not see one of them. Takes three queries.
 */
export async function termTitles(call: PageCall, taxonomy: Taxonomy, text: string): Promise<string | undefined> {
  const { db } = call.deps.storage
  const { actor } = call.viewer
  const items = itemsOf(text, maxChosen)
  if ('fault' in items) return undefined
  const preference = preferenceOf(call)
  const named = { taxonomy, wanted: items.value.flatMap((item) => termReferenceFromText(item) ?? []) }
  const { terms: sought, wanted } = await listNamedTerms(db, named, preference)
  const place = ({ language }: Term) => preference.order.indexOf(language)
  const known = sought.filter((term) => isTermVisibleTo(actor, term))
  const terms = createTermMatcher(known.toSorted((one, other) => place(one) - place(other)))
  const found = wanted.flatMap((one) => terms.find(one) ?? [])
  if (found.length === 0 || found.length < items.value.length) return undefined
  const versions = await listVersions(
    db,
    'terms',
    found.map(({ id }) => id),
  )
  const chosen = found.map((term) => {
    const own = versions.filter(({ groupId }) => groupId === term.groupId)
    return chooseVersion(own, preference)?.id ?? term.id
  })
  const shown = (await listMatchingTerms(db, taxonomy, { ids: chosen })).filter((term) => isTermVisibleTo(actor, term))
  const names = found.map((term, index) => (shown.find(({ id }) => id === chosen[index]) ?? term).name)
  return [...new Set(names)].map(decodeEntities).join(', ')
}

/** Returns the name of a venue, or undefined if a visitor may not read it. Takes three queries. */
export async function venueTitle(call: PageCall, id: number): Promise<string | undefined> {
  const versions = await listEntryVersions(call.deps.storage.db, venues, [id])
  const shown = versions.filter((version) => version.status !== 'trash' && mayRead(call.viewer.actor, version))
  const venue = chooseVersion(shown, preferenceOf(call))
  return venue && htmlToText(venue.titleHtml)
}
