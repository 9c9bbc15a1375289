import { type Html, html } from '../../publish/pages/html.ts'
import { distinctLanguages, languageName } from '../events/language.names.ts'
import type { SeriesJson } from '../events/series.json.ts'
import { linkTo, type OwnCall } from '../shell/desk.call.ts'
import { csrfField, type Faults, field, hidden, textArea } from '../shell/fields.ts'
import { backOf, type SeriesPlace } from './series.place.ts'

/** What the forms of a series show. */
export interface SeriesForm {
  readonly series: SeriesJson
  /** Where the page is shown again. */
  readonly place: SeriesPlace
  readonly faults: Faults
  readonly values: Readonly<Record<string, string>>
}

/** Returns the start of a form of the page: where it is sent, and the place to which it leads back. */
export function formStart(call: OwnCall, { series: { id }, place }: Pick<SeriesForm, 'series' | 'place'>): Html {
  return html`action="${linkTo(call, `/admin/series/${id}/`)}">${csrfField(call)}${hidden('back', backOf(place))}`
}

function panel(
  call: OwnCall,
  form: SeriesForm,
  { title, main }: { readonly title: string; readonly main: Html },
): Html {
  return html`<form method="post" class="panel" ${formStart(call, form)}<h2>${title}</h2>
${main}
</form>`
}

export function addForm(call: OwnCall, form: SeriesForm): Html {
  const { say } = call
  const { faults, values } = form
  const options = { name: 'start', label: say('series.add.label'), hint: say('series.add.hint'), autocomplete: 'off' }
  return panel(call, form, {
    title: say('series.add'),
    main: html`${field({ ...options, value: values.start ?? '', fault: faults.start, maxLength: 100 })}
<div class="buttons"><button name="to" value="add">${say('series.add')}</button></div>`,
  })
}

export function endForm(call: OwnCall, form: SeriesForm): Html {
  const { say } = call
  const { faults, values } = form
  const options = { name: 'day', label: say('series.end.label'), hint: say('series.end.hint'), autocomplete: 'off' }
  return panel(call, form, {
    title: say('series.end'),
    main: html`${field({ ...options, value: values.day ?? '', fault: faults.day, maxLength: 100 })}
<div class="buttons"><button name="to" value="end" class="quiet">${say('series.end')}</button></div>`,
  })
}

export function languagesText(call: OwnCall, { translations: versions }: SeriesJson): Html {
  const languages = Object.keys(versions).map((one) => languageName(call, one))
  return html`<p>${call.say('series.languages', { languages: languages.join(', ') })}</p>`
}

/** Returns a form for each language that the series lacks. */
export function translationForms(call: OwnCall, form: SeriesForm): readonly Html[] {
  const { say } = call
  const { series, faults, values } = form
  const taken = Object.keys(series.translations)
  const letters = (tag: string) => tag.split('-')[0]
  const missing = distinctLanguages(call).filter((one) => !taken.some((other) => letters(other) === letters(one)))
  return missing.map((language) => {
    const title = say('series.translate', { language: languageName(call, language) })
    const named = (name: string) => ({
      name: `${name}.${language}`,
      value: values[`${name}.${language}`] ?? '',
      language,
      fault: faults[`${name}.${language}`],
    })
    return panel(call, form, {
      title,
      main: html`${field({ ...named('title'), label: say('editor.title') })}
${textArea({ ...named('excerpt'), label: say('editor.excerpt'), rows: 2 })}
${textArea({ ...named('description'), label: say('editor.description'), rows: 5 })}
<div class="buttons"><button name="to" value="translate.${language}">${title}</button></div>`,
    })
  })
}

export function trashForm(call: OwnCall, form: SeriesForm): Html {
  const { say } = call
  return panel(call, form, {
    title: say('series.trash'),
    main: html`<p>${say('series.trash.hint')}</p><div class="buttons"><button name="to" value="trash" class="quiet">${say('series.trash')}</button></div>`,
  })
}

export function restoreForm(call: OwnCall, form: SeriesForm): Html {
  const { say } = call
  return panel(call, form, {
    title: say('series.restore'),
    main: html`<div class="buttons"><button name="to" value="restore">${say('series.restore')}</button></div>`,
  })
}

export function purgeForm(call: OwnCall, form: SeriesForm): Html {
  const { say } = call
  return panel(call, form, {
    title: say('series.purge'),
    main: html`<p>${say('series.purge.hint')}</p><div class="buttons"><button name="to" value="purge" class="quiet">${say('series.purge.ask')}</button></div>`,
  })
}
