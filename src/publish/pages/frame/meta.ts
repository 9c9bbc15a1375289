import type { Addresses } from '../../../access/http/addresses.ts'
import { knownLanguages, type Language, TEXT_LANGUAGE_CODES } from '../../../base/languages/language.ts'
import { dataScript, type Html, html } from '../../../base/text/html.ts'
import { eventListData } from '../event/event.list.data.ts'
import { oembedUrl } from '../page.addresses.ts'
import type { Page, PageCall } from './page.ts'

/** Returns the absolute address of a page. `path` includes the language. */
export function absolute({ site }: Addresses, path: string): string {
  return `${site}${path}`
}

/** Returns the elements of the head that describe a page to search engines, social networks and browsers. */
export function metaElements(call: PageCall, page: Page): Html {
  const { addresses, textLanguage, deps } = call
  const { meta, title, versions = {} } = page
  const isIndexed = page.status === 200 && meta.isIndexed !== false
  const address = absolute(addresses, meta.path)
  const others = [...new Set([...knownLanguages(deps.config), ...Object.keys(versions)])].flatMap((language) => {
    const path = versions[language]
    return path === undefined ? [] : [{ language, address: absolute(addresses, path) }]
  })
  const listed = page.status === 200 ? eventListData(call, meta.events ?? []) : []
  const original = others.find(({ language }) => language === deps.config.defaultLanguage) ?? others[0]
  return html`${!isIndexed && html`<meta name="robots" content="noindex">`}
${page.status === 200 && html`<link rel="canonical" href="${address}">`}
${meta.description && html`<meta name="description" content="${meta.description}">`}
${
  isIndexed &&
  others.length > 1 && [
    ...others.map((other) => html`<link rel="alternate" hreflang="${other.language}" href="${other.address}">\n`),
    original && html`<link rel="alternate" hreflang="x-default" href="${original.address}">`,
  ]
}
${isIndexed && openGraph(address, others)}
${isIndexed && meta.kind === 'article' && html`<link rel="alternate" type="application/json+oembed" title="${title}" href="${oembedUrl(addresses, address)}">`}
${meta.data && dataScript('application/ld+json', meta.data)}
${listed.length > 0 && dataScript('application/ld+json', listed)}`

  function openGraph(url: string, versionsOfPage: readonly { readonly language: Language }[]): Html {
    const { image, description, kind = 'website' } = meta
    const own = TEXT_LANGUAGE_CODES[textLanguage]
    const property = (name: string, content: string | number | undefined) =>
      content === undefined || content === '' ? undefined : html`<meta property="og:${name}" content="${content}">\n`
    return html`${property('title', title)}${property('site_name', deps.config.siteName)}${property('type', kind)}
${property('url', url)}${property('description', description)}${property('locale', localeOf(own))}
${versionsOfPage
  .filter(({ language }) => localeOf(language) !== localeOf(own))
  .map(({ language }) => property('locale:alternate', localeOf(language)))}
${image && [property('image', image.url), property('image:width', image.width), property('image:height', image.height), property('image:alt', image.alt)]}
<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">`
  }
}

/**
 * Returns language and country in the format of Open Graph. If a tag names no country, the most likely one is added.
 */
function localeOf(language: Language): string {
  const { language: primary, region } = new Intl.Locale(language).maximize()
  return region === undefined ? primary : `${primary}_${region}`
}
