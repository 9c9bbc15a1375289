import { type Html, html, raw } from '../../base/text/html.ts'
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

/** Returns a form of the page, which leads back to its place in the list of dates. */
export function seriesForm(
  call: OwnCall,
  { series: { id }, place }: Pick<SeriesForm, 'series' | 'place'>,
  { className, main }: { readonly className?: string; readonly main: Html },
): Html {
  return html`<form method="post"${className && html` class="${className}"`} action="${linkTo(call, `/admin/series/${id}/`)}">${csrfField(call)}${hidden('back', backOf(place))}${main}</form>`
}

function panel(
  call: OwnCall,
  form: SeriesForm,
  { title, main }: { readonly title: string; readonly main: Html },
): Html {
  return seriesForm(call, form, { className: 'panel', main: html`<h2>${title}</h2>${main}` })
}

/** Returns a form that asks for a day: to add a date, or to end the series. */
export function dayForm(
  call: OwnCall,
  form: SeriesForm,
  {
    name,
    to,
    isQuiet = false,
  }: { readonly name: 'start' | 'day'; readonly to: 'add' | 'end'; readonly isQuiet?: boolean },
): Html {
  const { say } = call
  const { faults, values } = form
  const texts = { label: say(`series.${to}.label`), hint: say(`series.${to}.hint`), fault: faults[name] }
  return panel(call, form, {
    title: say(`series.${to}`),
    main: html`${field({ ...texts, name, value: values[name] ?? '', autocomplete: 'off', maxLength: 100 })}
<div class="buttons"><button name="to" value="${to}"${isQuiet && raw(' class="quiet"')}>${say(`series.${to}`)}</button></div>`,
  })
}

export function languagesLine(call: OwnCall, { translations: versions }: SeriesJson): Html {
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
