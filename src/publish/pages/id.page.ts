import { mayRead } from '../../access/auth/policy.ts'
import { textLanguageOf } from '../../base/languages/language.ts'
import { listSuccessors } from '../../calendar/records/former.repository.ts'
import { findOwnedRecord, findRecordKind } from '../../calendar/records/record.repository.ts'
import type { RecordKind } from '../../calendar/records/record.ts'
import { listVersionAddresses } from '../../calendar/records/record.versions.repository.ts'
import { findByOldId } from '../../calendar/sources/source.repository.ts'
import type { PageAnswer, PageCall } from './frame/page.ts'
import { inLanguage, pathOf } from './page.addresses.ts'
import { notFoundPage } from './problem.page.ts'

/**
 * Answers `/?p={id}`, with or without `post_type`: the address of an unpublished record, or of one on the site from which
 * it was imported. Old addresses come first: nobody but the editors knows those of this service. Visitors get 404 until
 * the record is published, and a redirect to its page afterwards (addresses.md).
 */
export async function idPage(call: PageCall): Promise<PageAnswer> {
  const { deps, addresses, viewer, query } = call
  const { db } = deps.storage
  const sent = typeof query.p === 'string' && /^\d{1,15}$/.test(query.p) ? Number(query.p) : 0
  const known = (await findByOldId(db, sent, new URL(addresses.site).host)) ?? sent
  const id = (await listSuccessors(db, ['venue', 'organizer'], [known])).get(known) ?? known
  const found = await findRecordKind(db, id)
  // Pictures and templates of series have no page.
  const kind = found === 'media' || found === 'series' ? undefined : (found as RecordKind | undefined)
  const owned = kind === undefined ? undefined : await findOwnedRecord(db, kind, id)
  const [version] = owned && mayRead(viewer.actor, owned) ? await listVersionAddresses(db, [id]) : []
  if (!version || kind === undefined || owned?.status === 'trash') return notFoundPage(call)
  const path = inLanguage(call, `/${kind}/${version.end}/`, textLanguageOf(version.language))
  return { kind: 'elsewhere', status: 301, url: pathOf(call, path) }
}
