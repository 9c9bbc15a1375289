import { randomUUID } from 'node:crypto'
import { mayEdit } from '../../access/auth/policy.ts'
import { htmlToText } from '../../base/text/escape.ts'
import { type Html, html } from '../../base/text/html.ts'
import { distinctLanguages, languageName } from '../events/language.names.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { type Choice, checkbox, csrfField, type Faults, field, formPage, hidden, select } from '../shell/fields.ts'
import { pageIn, pager } from '../shell/pager.ts'
import { type PictureJson, readPictures, thumbnailOf } from '../shell/picture.json.ts'
import { uploadField } from '../shell/upload.field.ts'

export const picturesPath = '/admin/pictures/'
const perPage = 24
const longestWords = 100

/** What was typed about a picture, and why it was not saved. */
interface TypedPicture {
  readonly id: string
  readonly values: Readonly<Record<string, string>>
  readonly faults: Faults
}

/** What was typed with a picture that is not uploaded, and why. */
interface Upload {
  readonly values: Readonly<Record<string, string>>
  readonly fault?: string
}

interface Shown {
  readonly typed?: TypedPicture
  readonly upload?: Upload
  readonly text?: string
  readonly status?: number
}

/** The query of the library, which its forms carry along. */
function placeIn(query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams()
  for (const name of ['q', 'without', 'page']) if (query.get(name)) kept.set(name, query.get(name) ?? '')
  return kept
}

export const pictureField = (name: 'alt' | 'decorative', id: number | string, language = '') =>
  `${name}.${id}${language === '' ? '' : `.${language}`}`

/** The library of pictures: where each is shown, and what it shows in each language. */
export async function picturesPage(call: OwnCall, { typed, upload, text, status }: Shown = {}): Promise<DeskPage> {
  const { say, query, config } = call
  const words = (query.get('q') ?? '').trim().slice(0, longestWords)
  const without = config.languages.find((one) => one === query.get('without'))
  const page = pageIn(query)
  const {
    items,
    total,
    total_pages: pages,
  } = await readPictures(call, {
    ...{ page, per_page: perPage, search: words || undefined, without_alt_text: without },
  })
  const address = (number: number) => withParameters(picturesPath, { q: words || undefined, without, page: number })
  const languages = distinctLanguages(call)
  const faults = { ...typed?.faults, ...(upload?.fault === undefined ? {} : { picture: upload.fault }) }
  const labels = Object.fromEntries(
    languages.map((one) => [pictureField('alt', typed?.id ?? '', one), altLabel(call, one)]),
  )
  const choices = languages.map(
    (one): Choice => [one, say('pictures.without-language', { language: languageName(call, one) })],
  )
  return formPage(
    call,
    {
      ...{ title: say('pictures.title'), section: 'pictures', address: address(page), scripts: ['picture'] },
      ...{ status, text, faults, labels: { ...labels, picture: say('editor.image.choose') }, isNarrow: false },
    },
    html`${uploadForm(call, upload)}
<form class="filter-bar" action="${linkTo(call, picturesPath)}" aria-label="${say('events.filters')}">
${field({ name: 'q', type: 'search', label: say('events.search'), value: words, maxLength: longestWords })}
${select({ name: 'without', label: say('pictures.without'), value: without ?? '', choices: [['', say('events.any')], ...choices] })}
<div class="field"><button class="quiet">${say('events.filter')}</button></div>
${(words !== '' || without) && html`<p class="field"><a href="${linkTo(call, picturesPath)}">${say('events.clear')}</a></p>`}
</form>
<p role="status" class="hint">${say('pictures.count', { count: total })}</p>
${items.length === 0 && html`<p>${say('records.none')}</p>`}
<ul class="pictures">${items.map((one) => pictureItem(call, one, typed?.id === String(one.media.id) ? typed : undefined))}</ul>
${pager(call, { page, pages, address })}`,
  )
}

const altLabel = (call: OwnCall, language: string) =>
  call.say('editor.of-language', { label: call.say('editor.alt'), language: languageName(call, language) })

function uploadForm(call: OwnCall, { values, fault }: Upload = { values: {} }): Html {
  const { say } = call
  const fields = distinctLanguages(call).map((language) => {
    const name = pictureField('alt', 'new', language)
    return { name, label: altLabel(call, language), language, value: values[name] ?? '', maxLength: 1000 }
  })
  const isOpen = fault !== undefined || fields.some(({ value }) => value !== '')
  return html`<details class="more panel"${isOpen && html` open`}><summary>${say('editor.image.choose')}</summary>
<form method="post" class="import" data-picture action="${linkTo(call, picturesPath)}" enctype="multipart/form-data">
${csrfField(call)}${hidden('key', randomUUID())}
${uploadField(call, { label: say('editor.image.choose'), fault, isRequired: true })}
${fields.map(field)}
<div class="buttons"><button>${say('pictures.upload')}</button></div>
</form></details>`
}

function pictureItem(
  call: OwnCall,
  { media, version, uses, used_by: usedBy }: PictureJson,
  typed?: TypedPicture,
): Html {
  const { say, me } = call
  const { id, alt_texts: saved, decorative } = media
  const isChangeable = mayEdit(actorOf(me), { authorId: media.author, status: 'publish' })
  const name = (one: 'alt' | 'decorative', language?: string) => pictureField(one, id, language)
  const textIn = (language: string) => typed?.values[name('alt', language)] ?? saved[language] ?? ''
  const isDecorative = typed ? typed.values[name('decorative')] === '1' : decorative
  const place = placeIn(call.query).toString()
  const remove = withParameters(`${picturesPath}${id}/delete/`, { back: place || undefined })
  return html`<li class="panel" id="p-${id}">
<h2>${media.title}</h2>
<div class="picture"><a href="${media.url}"><img src="${thumbnailOf(media)}" alt="${saved[call.config.defaultLanguage] ?? media.title}" width="144" height="144" loading="lazy"></a>
<div><p class="hint">${say('pictures.size', { width: media.width, height: media.height })}</p>
${usesPart(call, { uses, usedBy })}</div></div>
${
  isChangeable &&
  html`<form method="post" action="${linkTo(call, `${picturesPath}${id}/`)}">
${csrfField(call)}${hidden('version', String(version))}${hidden('back', place)}
${distinctLanguages(call).map((language) => field({ name: name('alt', language), label: altLabel(call, language), language, value: textIn(language), fault: typed?.faults[name('alt', language)], maxLength: 1000 }))}
${checkbox({ name: name('decorative'), label: say('editor.decorative'), value: '1', isOn: isDecorative })}
<div class="buttons"><button class="quiet">${say('editor.save')}<span class="unseen"> – ${media.title}</span></button>
<a class="button quiet" href="${linkTo(call, remove)}">${say('delete')}<span class="unseen"> – ${media.title}</span></a></div>
</form>`
}
</li>`
}

/** Returns the records that show a picture, with links to their editors. */
export function usesPart(
  call: OwnCall,
  { uses, usedBy }: { readonly uses: number; readonly usedBy: PictureJson['used_by'] },
): Html {
  const { say } = call
  if (uses === 0) return html`<p>${say('pictures.unused')}</p>`
  const sections: Readonly<Record<string, string>> = { event: 'events', venue: 'venues', organizer: 'organizers' }
  const more = uses - usedBy.length
  return html`<p>${say('pictures.uses', { count: uses })}</p><ul class="uses">${usedBy.map((one) => {
    const title = htmlToText(one.title).trim() || say('events.untitled')
    const isOpen = one.status !== 'trash'
    return html`<li>${isOpen ? html`<a href="${linkTo(call, `/admin/${sections[one.kind]}/${one.id}/`)}">${title}</a>` : title}</li>`
  })}${more > 0 && html`<li>${say('pictures.more', { count: more })}</li>`}</ul>`
}
