import { type Language, TEXT_LANGUAGES, textLanguageOf } from '../../../base/languages/language.ts'
import { html } from '../../../base/text/html.ts'
import { isoUtc } from '../../../base/time/wire.ts'
import { termUrl } from '../../../calendar/terms/term.present.ts'
import { absolute } from '../frame/meta.ts'
import type { PageCall, PlainText } from '../frame/page.ts'
import { inLanguage } from '../page.addresses.ts'
import { lastId, listSitemap, listSitemapTerms } from './sitemap.repository.ts'

/**
 * The number of ids of records, and of terms, in one file. Far below the limit of sitemaps.org: a file of 25,000 records
 * took a quarter of a second of the thread that answers everybody.
 */
const idsPerFile = 2500
const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Answers `/sitemap.xml`: the files of the sitemap. Each covers a range of ids, so no file grows with the calendar. */
export async function sitemapIndex({ deps, addresses }: PageCall): Promise<PlainText> {
  const files = Math.max(1, Math.ceil((await lastId(deps.storage.db)) / idsPerFile))
  const entries = Array.from({ length: files }, (_, place) => absolute(addresses, `/sitemap-${place + 1}.xml`))
  return xml(
    html`<sitemapindex xmlns="${schema}">${entries.map((address) => html`<sitemap><loc>${address}</loc></sitemap>\n`)}</sitemapindex>`
      .html,
  )
}

/** Answers `/sitemap-1.xml` and the following files. Returns undefined if the file does not exist. */
export async function sitemapFile(call: PageCall, named: string): Promise<PlainText | undefined> {
  const { deps, addresses } = call
  const { db } = deps.storage
  const number = Number(named)
  const first = (number - 1) * idsPerFile + 1
  if (number < 1 || (number > 1 && first > (await lastId(db)))) return undefined
  const last = first + idsPerFile - 1
  const entries = await listSitemap(db, first, last)
  const terms = await listSitemapTerms(db, first, last)
  const own =
    number === 1
      ? TEXT_LANGUAGES.map((language) => ({ path: inLanguage(call, '/events/', language), modifiedAt: undefined }))
      : []
  const all = [
    ...own,
    ...entries.map(({ kind, end, language, modifiedAt }) => ({
      path: inLanguage(call, `/${kind}/${end}/`, textLanguageOf(language as Language)),
      modifiedAt,
    })),
    ...terms.map((term) => ({ path: termUrl(term, addresses).slice(addresses.site.length), modifiedAt: undefined })),
  ]
  return xml(
    html`<urlset xmlns="${schema}">${all.map(
      ({ path, modifiedAt }) =>
        html`<url><loc>${absolute(addresses, path)}</loc>${modifiedAt !== undefined && html`<lastmod>${isoUtc(modifiedAt)}</lastmod>`}</url>\n`,
    )}</urlset>`.html,
  )
}

function xml(content: string): PlainText {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
  return { kind: 'text', type: 'application/xml; charset=utf-8', text: `${declaration}\n${content}\n` }
}
