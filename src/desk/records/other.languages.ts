import { contentLanguageOf, otherTextLanguages, textLanguageOf } from '../../base/languages/language.ts'
import { type Html, html } from '../../base/text/html.ts'
import { languageName } from '../events/language.names.ts'
import { linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'

/** A record or a term in one language, and its other versions. */
interface Shown {
  readonly id: number | undefined
  readonly language: string
  readonly versions: readonly { readonly id: number; readonly language: string }[]
}

/** Returns links to the versions in other languages, and to the pages that translate; nothing if there are none. */
export function otherLanguages(call: OwnCall, plural: string, { id, language, versions }: Shown): Html | false {
  const { say, config } = call
  const missing = otherTextLanguages(textLanguageOf(language)).map((one) => contentLanguageOf(config, one))
  const others = [...new Set([...versions.map((version) => version.language), ...missing])].filter(
    (one) => config.languages.some((known) => known === one) && one !== language,
  )
  if (others.length === 0) return false
  return html`<section aria-labelledby="versions"><h2 id="versions">${say('record.versions')}</h2>
<ul class="inline">${others.map((one) => {
    const version = versions.find((known) => known.language === one)
    const name = languageName(call, one)
    const path = version
      ? `/admin/${plural}/${version.id}/`
      : withParameters(`/admin/${plural}/new/`, { of: id, lang: one })
    return html`<li><a class="button quiet" href="${linkTo(call, path)}">${version ? name : say('record.translate', { language: name })}</a></li>`
  })}</ul></section>`
}
