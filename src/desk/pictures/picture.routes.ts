import { randomUUID } from 'node:crypto'
import { mayUpload } from '../../access/auth/policy.ts'
import { html } from '../../base/text/html.ts'
import type { Media, MediaUsage } from '../api/answers.ts'
import type { ApiAnswer } from '../api/desk.api.ts'
import { statuses } from '../api/statuses.ts'
import { distinctLanguages } from '../events/language.names.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskRoutes,
  linkTo,
  type OwnCall,
  withParameters,
} from '../shell/desk.call.ts'
import { csrfField, type Faults, hidden } from '../shell/fields.ts'
import { thumbnailOf } from '../shell/picture.json.ts'
import { tellAt } from '../shell/told.ts'
import { pictureField, picturesPage, picturesPath, usesPart } from './pictures.page.ts'

const inUse = 409

/** Returns the library with the query that a form carried along. */
const libraryAt = (back: string) => withParameters(picturesPath, Object.fromEntries(new URLSearchParams(back)))

const at = (call: OwnCall, back: string): OwnCall => ({ ...call, query: new URLSearchParams(back) })

function altTexts(call: OwnCall, form: DeskForm, id: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    distinctLanguages(call).map((language) => [language, form.get(pictureField('alt', id, language)).trim()]),
  )
}

async function upload(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const { api, say } = call
  const { file } = form
  const values = Object.fromEntries(form.pairs)
  if (!file || file.isTooLong) return picturesPage(call, { upload: { values, fault: say('editor.image.hint') } })
  const key = /^[\w-]{1,100}$/.exec(form.get('key'))?.[0]
  const { status, body, message, faults } = await api.service<Media>({
    ...{ method: 'POST', path: '/media', upload: file },
    headers: key === undefined ? {} : { 'idempotency-key': `"${key}"` },
  })
  if (status !== 201) return picturesPage(call, { upload: { values, fault: faults.file ?? message } })
  const texts = Object.fromEntries(Object.entries(altTexts(call, form, 'new')).filter(([, text]) => text !== ''))
  if (Object.keys(texts).length > 0) {
    const json = { alt_texts: texts }
    const described = await api.service({
      ...{ method: 'PATCH', path: `/media/${body.id}`, json, headers: { 'if-match': '*' } },
    })
    if (described.status !== 200) return describeAgain(call, { media: body, texts, refused: described })
  }
  return tellAt(call, picturesPath, { text: say('pictures.added', { title: body.title }) })
}

/** Shows the picture that was added with its texts, which were refused. */
function describeAgain(
  call: OwnCall,
  {
    media: { id: made, title },
    texts,
    refused,
  }: Pick<Described, 'refused'> & { readonly media: Media; readonly texts: Readonly<Record<string, string>> },
): Promise<DeskAnswer> {
  const id = String(made)
  const typed = Object.entries(texts).map(([language, text]) => [pictureField('alt', id, language), text] as const)
  return picturesPage(at(call, ''), {
    typed: { id, values: Object.fromEntries(typed), faults: altFaults(call, { id, refused }) },
    text: call.say('pictures.added', { title }),
  })
}

interface Described {
  readonly id: string
  readonly refused: Pick<ApiAnswer<unknown>, 'message' | 'faults'>
}

/** Returns why the descriptions of a picture were refused, at the field of the first language that is named. */
function altFaults(call: OwnCall, { id, refused: { faults, message } }: Described): Faults {
  const languages = distinctLanguages(call)
  const [[name, reason] = ['', message]] = Object.entries(faults)
  const language = languages.find((one) => name.endsWith(one)) ?? languages[0] ?? ''
  return { [pictureField('alt', id, language)]: reason }
}

/** Saves what a picture shows, if nobody has changed it since. */
async function save(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const { say, api } = call
  const texts = altTexts(call, form, id)
  const isDecorative = form.get(pictureField('decorative', id)) === '1'
  const answer = await api.service<Media>({
    ...{ method: 'PATCH', path: `/media/${id}`, json: { alt_texts: texts, decorative: isDecorative } },
    headers: { 'if-match': `"${form.get('version')}"` },
  })
  const back = form.get('back')
  if (answer.status === 200)
    return tellAt(call, `${libraryAt(back)}#p-${id}`, { text: say('pictures.saved', { title: answer.body.title }) })
  const typed = { id, values: Object.fromEntries(form.pairs) }
  if (answer.status === statuses.preconditionFailed) {
    return picturesPage(at(call, back), {
      typed: { ...typed, faults: {} },
      text: say('pictures.meanwhile'),
      status: 409,
    })
  }
  return picturesPage(at(call, back), { typed: { ...typed, faults: altFaults(call, { id, refused: answer }) } })
}

/** Asks before a picture is deleted, and names what loses it. */
async function askPage(call: OwnCall, id: string, back: string): Promise<DeskAnswer> {
  const { say, api } = call
  const [{ status, body: media, version }, uses] = await Promise.all([
    api.service<Media>({ path: `/media/${id}` }),
    api.service<MediaUsage>({ path: '/media/usage', query: { id, per_page: 1 } }),
  ])
  if (status !== 200) return { kind: 'see', path: libraryAt(back) }
  const found = uses.body.items[0]
  const title = say('pictures.ask', { title: media.title })
  return {
    ...{ kind: 'page', title, section: 'pictures' },
    main: html`<div class="narrow"><h1>${title}</h1>
<div class="panel"><img class="thumbnail" src="${thumbnailOf(media)}" alt="" width="144" height="144">
${found && usesPart(call, { uses: found.uses, usedBy: found.used_by })}
<p>${say('pictures.ask.text')}</p>
<form method="post" action="${linkTo(call, `${picturesPath}${id}/delete/`)}">${csrfField(call)}${hidden('version', version ?? '')}${hidden('back', back)}${hidden('key', randomUUID())}
<div class="buttons"><button>${say('delete')}</button> <a class="button quiet" href="${linkTo(call, libraryAt(back))}">${say('pictures.keep')}</a></div></form></div></div>`,
  }
}

async function remove(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const back = form.get('back')
  const { status, message } = await call.api.service({
    ...{ method: 'DELETE', path: `/media/${id}`, query: { force: 'true' } },
    headers: { 'if-match': `"${form.get('version')}"` },
  })
  if (status === statuses.preconditionFailed || status === inUse) return askPage(call, id, back)
  if (status >= 400) return picturesPage(at(call, back), { text: message, status })
  return tellAt(call, libraryAt(back), { text: call.say('pictures.removed') })
}

/** The library of pictures. */
export const pictureRoutes: DeskRoutes = {
  [picturesPath]: {
    mayUse: mayUpload,
    ...{ show: async (call) => picturesPage(call), submit: upload },
    again: async (call, { form, notice: text }) =>
      picturesPage(call, { upload: { values: Object.fromEntries(form.pairs) }, text }),
  },
  [`${picturesPath}{id}/`]: {
    mayUse: mayUpload,
    show: picturesPath,
    submit: save,
    again: async (call, { form, notice: text }, id = '') =>
      picturesPage(at(call, form.get('back')), {
        typed: { id, values: Object.fromEntries(form.pairs), faults: {} },
        text,
      }),
  },
  [`${picturesPath}{id}/delete/`]: {
    mayUse: mayUpload,
    show: async (call, id = '') => askPage(call, id, call.query.get('back') ?? ''),
    submit: remove,
  },
}
