import { visitor } from '../../../access/auth/actor.ts'
import type { Deps } from '../../../access/deps.ts'
import type { Addresses } from '../../../access/http/addresses.ts'
import { contentLanguageOf, type TextLanguage } from '../../../base/languages/language.ts'
import { type Html, html } from '../../../base/text/html.ts'
import { findEvent, withLinks } from '../../../calendar/events/event.repository.ts'
import { viewerOf } from '../../../calendar/translations/viewer.ts'
import { presentPage } from '../frame/page.layout.ts'
import { type PageCall, type PageFiles, readContextOf, sayIn } from '../frame/page.ts'
import { openMain } from './event.page.ts'
import { statedTitle } from './event.states.ts'

/** What a preview needs. Its caller has checked that the reader may change the event. */
interface PreviewOptions {
  readonly deps: Deps
  readonly addresses: Addresses
  readonly textLanguage: TextLanguage
  readonly files: PageFiles
  /** What is shown above the event. */
  readonly banner: Html
}

/**
 * Returns the page of an event as visitors will see it, in any state and without its password. Everything beside the event
 * is what visitors see now.
 */
export async function presentEventPreview(
  { deps, addresses, textLanguage, files, banner }: PreviewOptions,
  id: number,
): Promise<string | undefined> {
  const language = contentLanguageOf(deps.config, textLanguage)
  const call: PageCall = {
    ...{ deps, addresses, textLanguage, language, files },
    ...{ path: `/event/${id}/`, query: {}, search: '', format: undefined, client: undefined, form: undefined },
    ...{ viewer: viewerOf({ deps, actor: visitor, language }), now: deps.now(), say: sayIn(textLanguage) },
  }
  const found = await findEvent(deps.storage.db, id)
  if (!found || found.status === 'trash') return undefined
  const [event] = await withLinks(readContextOf(call), [found])
  if (!event) return undefined
  const open = { ...event, status: 'publish', passwordDigest: undefined } as const
  return presentPage(call, {
    ...{ kind: 'page', status: 200, title: statedTitle(call, open), freshUntil: call.now, isPrivate: true },
    main: html`${banner}${await openMain(call, open)}`,
    meta: { path: `/event/${id}/`, isIndexed: false },
  })
}
