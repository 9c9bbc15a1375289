import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import { credentialsOf } from '../../access/auth/request.credentials.ts'
import type { Deps } from '../../access/deps.ts'
import { wantsJson } from '../../access/http/accept.ts'
import { type Addresses, addressesOf } from '../../access/http/addresses.ts'
import { matchedForm, responseCodingsOf } from '../../access/http/answers/content.coding.ts'
import { dateHeader, etagOf, type Validators } from '../../access/http/answers/etag.ts'
import { commonHeaders, corsHeaders, uncacheable } from '../../access/http/answers/headers.ts'
import { transportHeaders } from '../../access/http/answers/page.headers.ts'
import { callerOf } from '../../access/http/caller.ts'
import type { TextDocument } from '../../access/http/route.ts'
import { siteOfRequest } from '../../access/http/site.ts'
import {
  addressLanguageOf,
  TEXT_LANGUAGE_CODES,
  TEXT_LANGUAGE_PATHS,
  TEXT_LANGUAGES,
  type TextLanguage,
} from '../../base/languages/language.ts'
import { clientKey } from '../../base/limits/client.ts'
import { fail } from '../../base/problems.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { findEventOfPage } from '../../calendar/events/read/read.service.ts'
import { type Viewer, viewerOf } from '../../calendar/translations/viewer.ts'
import { eventCalendarUrl } from './feed.addresses.ts'
import { calendarIdentity } from './feed.identity.repository.ts'
import { feedMemory } from './feed.known.ts'
import { maskEvent } from './feed.ts'
import { writeICalendar } from './ical.ts'

/**
 * Serves each event as a separate calendar, below its page: `/event/{slug}/ical/`, or `/event/{slug}/{date}/ical/` for a
 * date of a series. In every language of texts.
 */
export function serveEventCalendars(server: FastifyInstance, deps: Deps): void {
  for (const language of TEXT_LANGUAGES) {
    void server.register(calendars(deps, language), { prefix: `${TEXT_LANGUAGE_PATHS[language]}/event` })
  }
}

interface CalendarReader {
  readonly addresses: Addresses
  readonly textLanguage: TextLanguage
  readonly viewer: Viewer
}

/** Returns one event as a calendar, as shown to a visitor who has not given its password. */
export async function calendarOfEvent(
  { config, storage, now }: Deps,
  { addresses, textLanguage, viewer }: CalendarReader,
  event: LinkedEvent,
): Promise<TextDocument & Validators & { readonly fileName: string }> {
  const self = eventCalendarUrl(addresses, event)
  const { type, text } = writeICalendar({
    ...{ config, addresses, self },
    language: TEXT_LANGUAGE_CODES[textLanguage],
    identity: await calendarIdentity(storage),
    isSignedIn: false,
    events: [event.passwordDigest === undefined ? event : maskEvent(event)],
  })
  const etag = etagOf(text)
  const validators = feedMemory(storage.db, self, textLanguage, viewer).keep(etag, etag, now())
  return { type, text, ...validators, fileName: `${event.slug.replace(/[^\w-]/g, '') || event.id}.ics` }
}

function calendars(deps: Deps, textLanguage: TextLanguage): FastifyPluginCallback {
  const { config, storage, limits } = deps
  return (scope, _options, done) => {
    const pages = ['/:slug', '/:slug/:date', '/:slug/:date/:number']
    for (const url of pages.flatMap((page) => [`${page}/ical/`, `${page}/ical`])) {
      scope.route({
        method: ['GET', 'HEAD'],
        url,
        handler: async (request, reply) => {
          const sent = await limits.inFlight.run(async () => {
            const addresses = addressesOf(config, siteOfRequest(config, request), textLanguage)
            const { method, headers } = request
            const sent = credentialsOf({ method, headers, site: addresses.site, isJsonp: false })
            const { actor, limitHeaders } = await callerOf(deps, clientKey(config, request.raw), sent)
            reply.headers(limitHeaders)
            reply.headers({
              ...commonHeaders(addresses),
              ...transportHeaders(config),
              ...corsHeaders(config, request.headers.origin),
            })
            if (actor.kind === 'user') reply.headers(uncacheable)

            const { slug, date, number } = request.params as Readonly<Record<string, string | undefined>>
            const end = [slug, date, number].filter((part) => part !== undefined).join('/')
            const viewer = viewerOf({ deps, actor, language: addressLanguageOf(config, textLanguage) })
            const event = await findEventOfPage(storage, viewer, end)
            if (!event)
              return config.isServingPages && !wantsJson(headers.accept) ? undefined : fail('rest-event-not-found')
            const found = await calendarOfEvent(deps, { addresses, textLanguage, viewer }, event)
            const { type, text, fileName, etag } = found
            const known = matchedForm(found, responseCodingsOf(config, request.raw), headers)
            reply.headers({ ETag: known ?? etag, ...dateHeader(found), 'Content-Language': event.language })
            if (known !== undefined) return reply.status(304).send()
            return reply.header('Content-Disposition', `inline; filename="${fileName}"`).type(type).send(text)
          })
          // The same response as for any other unknown address.
          if (!sent) reply.callNotFound()
          return reply
        },
      })
    }
    done()
  }
}
