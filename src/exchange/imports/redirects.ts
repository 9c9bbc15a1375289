import type { PulledEvent, PullFolder } from '../pull/pull.folder.ts'
import { type Form, isObject, recordsIn } from '../pull/pull.lists.ts'
import { trimmedText } from './tec.values.ts'

// Addresses of the old site that this service does not know by itself, and where they lead now.

/** An old address, as a path with its query, and the new one. */
export interface Redirect {
  readonly from: string
  readonly to: string
}

/** The forms in which redirects are written, for the servers that read them. */
export const redirectFormats = {
  caddy: caddyLines,
  nginx: nginxLines,
  csv: (redirects: readonly Redirect[]) => ['from,to', ...redirects.map(({ from, to }) => `"${from}",${to}`)],
} as const
export type RedirectFormat = keyof typeof redirectFormats

/** The paths of records here, by the kind of the old record. */
const paths = { events: 'event', venues: 'venue', organizers: 'organizer' } as const

/**
 * Returns the old addresses of the published records in a folder of “pull tec”: by their ids, by their slugs, and their
 * pages, if these had other paths than here.
 */
export async function redirectsOf(folder: PullFolder): Promise<readonly Redirect[]> {
  const redirects = new Map<string, string>()
  const note = (from: string, to: string) => from !== to && redirects.set(from, to)
  const noteRecord = (kind: keyof typeof paths, form: Form) => {
    const { id, slug, status, url, series } = form
    const old = URL.canParse(String(url)) ? new URL(String(url)) : undefined
    // A record that only its writers see has no address that others have kept.
    if (trimmedText(slug) === '' || status !== 'publish' || !old || old.search !== '') return
    // A site in two languages has the language before the path.
    const [, language = ''] = /^(\/[a-z]{2}(?:-[a-z]{2})?)(?:\/[^/]+){2,}\/?$/i.exec(old.pathname) ?? []
    const name = pathPartOf(trimmedText(slug))
    const end = isObject(series) ? old.pathname.split('/').slice(-3, -1).map(pathPartOf).join('/') : name
    const to = `${language}/${paths[kind]}/${end}/`
    note(`/?p=${id}`, to)
    if (kind === 'events') {
      note(`/?post_type=tribe_events&p=${id}`, to)
      note(`/?tribe_events=${name}`, to)
    }
    note(old.pathname, to)
  }
  for (const file of await folder.list('events')) {
    const { v1 } = (await folder.readJson<PulledEvent>(file)) ?? {}
    if (isObject(v1)) noteRecord('events', v1)
  }
  for (const kind of ['venues', 'organizers'] as const) {
    for (const item of (await recordsIn(folder, `lists/${kind}-`)).values()) noteRecord(kind, item)
  }
  return [...redirects].map(([from, to]) => ({ from, to }))
}

/** Returns a slug as a part of a path. What a server takes for a variable or a new line is none there. */
function pathPartOf(slug: string): string {
  return slug.toWellFormed().replace(/[^\w.~%-]+/g, encodeURIComponent)
}

/** Matchers of Caddy compare the parts of an address apart, so a map of whole addresses is shorter. */
function caddyLines(redirects: readonly Redirect[]): readonly string[] {
  return [
    'map {uri} {moved_to} {',
    ...redirects.map(({ from, to }) => `  ${JSON.stringify(from)} ${JSON.stringify(to)}`),
    '  default ""',
    '}',
    '@moved expression `{moved_to} != ""`',
    'redir @moved {moved_to} permanent',
  ]
}

function nginxLines(redirects: readonly Redirect[]): readonly string[] {
  return [
    '# In “http”. In “server”: if ($moved_to) { return 301 $moved_to; }',
    'map $request_uri $moved_to {',
    '  default "";',
    ...redirects.map(({ from, to }) => `  ${JSON.stringify(from)} ${JSON.stringify(to)};`),
    '}',
  ]
}
