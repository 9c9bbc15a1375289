import { mayUpload } from '../../access/auth/policy.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import type { Media } from '../api/answers.ts'
import { actorOf, type DeskForm, type OwnCall } from '../shell/desk.call.ts'
import { checkbox, type Faults, type FieldOptions, field, hidden } from '../shell/fields.ts'
import { readPictures, thumbnailOf } from '../shell/picture.json.ts'
import { uploadField } from '../shell/upload.field.ts'
import { inLanguage } from './desk.field.ts'
import type { EditorState, Library, ShownIn } from './editor.model.ts'
import { languageName } from './language.names.ts'

/** The button that shows the library. */
export const toLibrary = 'pictures'
const chosenName = 'chosen_image'
const maxInLibrary = 24

/** Whether the form has a field for a picture, and is sent with it. */
export function hasPictures({ me }: OwnCall): boolean {
  return mayUpload(actorOf(me))
}

/** Returns the picture of an event, with what it shows in each language. */
export function picturePanel(
  { call, state, messages }: ShownIn,
  options: (name: string) => FieldOptions,
): Html | false {
  if (!hasPictures(call)) return false
  const { say } = call
  const { values, was, image, versions } = state
  const { label: decorative, note, name } = options('decorative')
  // The form may name another picture than the event has.
  const known = String(image?.id) === values.image ? image : undefined
  const { url } = known?.sizes?.thumbnail ?? known ?? {}
  const hasImage = values.image !== ''
  const fault = messages.faults?.picture
  const isDescribed = hasImage && values.image !== was.image
  return html`<fieldset class="panel" data-picture><legend>${say('editor.image')}</legend>
${hidden('image', values.image ?? '')}
${url !== undefined && hasImage && html`<img class="thumbnail" src="${url}" alt="" width="150" height="150">`}
${hasImage && (url === undefined || values.image !== was.image) && html`<p>${say('editor.image.uploaded')}</p>`}
${uploadField(call, { label: say(hasImage ? 'editor.image.other' : 'editor.image.choose'), fault })}
${libraryPart(call, messages.library)}
${hasImage && checkbox({ name: 'remove_image', label: say('editor.image.remove'), value: '1', isOn: false })}
<details class="more"${isDescribed && raw(' open')}><summary>${say('editor.described')}</summary>
${versions.map(({ language }) => {
  const shared = options(inLanguage('alt', language))
  const label = say('editor.of-language', { label: shared.label, language: languageName(call, language) })
  return field({ ...shared, label, maxLength: 1000 })
})}
${checkbox({ name, label: decorative, value: '1', isOn: values.decorative === '1' })}${note}
</details>
</fieldset>`
}

/** Returns the pictures from which one can be chosen. They are read only if somebody asks for them. */
function libraryPart({ say }: OwnCall, library: Library | undefined): Html {
  const choice = (value: string, content: Html, isOn = false) =>
    html`<label><input type="radio" name="${chosenName}" value="${value}"${isOn && raw(' checked')}>${content}</label>`
  return html`<details class="more" id="f-${chosenName}"${library && raw(' open')}><summary>${say('pictures.choose')}</summary>
${field({ name: 'picture_search', type: 'search', label: say('events.search'), value: library?.words ?? '', maxLength: 100 })}
<p><button name="to" value="${toLibrary}" class="quiet">${say('pictures.find')}</button></p>
${
  library &&
  html`<fieldset class="chosen-pictures"><legend class="unseen">${say('pictures.library')}</legend>
${choice('', html` ${say('pictures.same')}`, true)}
${library.pictures.map(({ media }) => choice(String(media.id), html`<img src="${thumbnailOf(media)}" alt="" width="110" height="110" loading="lazy"> ${media.title}`))}
</fieldset>
${library.pictures.length === 0 && html`<p>${say('records.none')}</p>`}`
}
</details>`
}

/** Returns the pictures that a form asks for. */
export async function libraryFor(call: OwnCall, form: DeskForm): Promise<Library> {
  const words = form.get('picture_search').trim().slice(0, 100)
  const { items } = await readPictures(call, { search: words || undefined, per_page: maxInLibrary })
  return { words, pictures: items }
}

/** Returns the state with a picture of the library, and with what that picture shows, unless something else was typed. */
async function withChosen({ api }: OwnCall, state: EditorState, id: string): Promise<EditorState> {
  const { status, body } = await api.service<Media>({ path: `/media/${id}` })
  if (status !== 200) return state
  const { values, was, versions } = state
  const described = Object.fromEntries([
    ...versions.map(({ language }) => [inLanguage('alt', language), body.alt_texts[language] ?? ''] as const),
    ['decorative', body.decorative ? '1' : ''] as const,
  ])
  const isUntyped = Object.keys(described).every((name) => (values[name] ?? '') === (was[name] ?? ''))
  const texts = isUntyped ? described : {}
  return {
    ...{ ...state, image: body },
    values: { ...values, ...texts, image: id },
    was: { ...was, ...(isUntyped ? described : {}) },
  }
}

interface Uploaded {
  readonly state: EditorState
  readonly faults: Faults
}

/** Uploads the picture of a form, if it has one, and returns the state with it. */
export async function withPicture(call: OwnCall, state: EditorState, form: DeskForm): Promise<Uploaded> {
  const { api, say } = call
  const { file } = form
  const chosen = form.get(chosenName)
  if (!file && /^\d{1,15}$/.test(chosen)) return { state: await withChosen(call, state, chosen), faults: {} }
  if (!file) {
    const isRemoved = form.get('remove_image') === '1'
    return { state: isRemoved ? { ...state, values: { ...state.values, image: '' } } : state, faults: {} }
  }
  if (file.isTooLong) return { state, faults: { picture: say('editor.image.hint') } }
  const { status, body, message, faults } = await api.service<Media>({
    ...{ method: 'POST', path: '/media', upload: file },
  })
  if (status !== 201) return { state, faults: { picture: faults.file ?? message } }
  return { state: { ...state, image: body, values: { ...state.values, image: String(body.id) } }, faults: {} }
}

/** Saves what the picture shows. Returns why that was refused. */
export async function saveAlternatives({ api }: OwnCall, { values, was, versions }: EditorState): Promise<Faults> {
  const names = versions.map(({ language }) => inLanguage('alt', language))
  const isChanged = [...names, 'decorative'].some((name) => values[name] !== was[name])
  const isNew = values.image !== was.image && [...names, 'decorative'].some((name) => values[name] !== '')
  if (!values.image || !(isChanged || isNew)) return {}
  const texts = versions.map(({ language }) => [language, values[inLanguage('alt', language)] ?? ''] as const)
  const json = { alt_texts: Object.fromEntries(texts), decorative: values.decorative === '1' }
  const { status, message } = await api.service({
    ...{ method: 'PATCH', path: `/media/${values.image}`, json },
    // The texts of the form replace those of the picture, also if REQUIRE_IF_MATCH is set.
    headers: { 'if-match': '*' },
  })
  return status === 200 ? {} : { [names[0] ?? 'picture']: message }
}
