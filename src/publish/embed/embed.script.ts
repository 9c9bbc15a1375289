import { readFile } from 'node:fs/promises'
import { namespaceOf } from '../../access/http/addresses.ts'
import { bundleModules } from '../../access/http/answers/bundle.ts'
import type { Config } from '../../base/config/config.ts'
import type { PageKey, StateKey } from '../../base/languages/catalogue.ts'
import { catalogueOf, TEXT_LANGUAGES, type TextLanguage, textLanguageOf } from '../../base/languages/language.ts'
import type { Text } from '../../base/languages/plural.ts'
import { pageEntry } from '../../base/languages/texts.ts'
import { addedToTitles } from '../../calendar/events/model/state.titles.ts'
import { calendarStyles, dateWords, monthModules } from '../pages/page.assets.ts'

const clientUrl = (file: string) => new URL(`client/${file}`, import.meta.url)

/** The modules, each after those that it imports. */
const modules: readonly URL[] = [
  dateWords,
  new URL('../../base/text/spaces.js', import.meta.url),
  ...['dom.js', 'text.js', 'days.js', 'states.js', 'source.js'].map(clientUrl),
  ...monthModules,
  ...['list.view.js', 'month.view.js', 'frame.js', 'calendar.js'].map(clientUrl),
]

const textKeys = [
  ...(['events', 'views', 'list', 'month', 'day', 'upcoming', 'subscribe', 'today', 'month.this'] as const),
  ...(['events-found', 'featured', 'all-day', 'until-day'] as const),
  ...(['nothing-upcoming', 'nothing-found', 'nothing-that-day', 'nothing-that-month'] as const),
  ...(['colon', 'day.more', 'continued', 'keys', 'series.all'] as const),
  ...(['embed.loading', 'embed.failed', 'embed.retry', 'embed.longer', 'embed.site'] as const),
  ...(['embed.month.previous', 'embed.month.next', 'embed.day.previous', 'embed.day.next'] as const),
] as const satisfies readonly PageKey[]

/** The words for what happens to an event. */
const stateKeys = [
  ...(['canceled', 'postponed', 'rescheduled', 'moved_online', 'online', 'mixed'] as const),
] as const satisfies readonly StateKey[]

/** Returns the settings of this service that the calendar on other sites needs. */
function settingsOf(config: Config): object {
  return {
    languageParameter: config.languageParameter,
    defaultLanguage: config.defaultLanguage,
    zone: config.siteZone.id,
    maxPerPage: config.maxPerPage,
    isMondayFirst: config.weekStart === 'monday',
    hasPages: config.isServingPages,
    addedToTitles: addedToTitles(config, 'v1'),
    textLanguages: Object.fromEntries(config.languages.map((language) => [language, textLanguageOf(language)])),
    catalogues: Object.fromEntries(TEXT_LANGUAGES.map((language) => [language, catalogueFor(config, language)])),
  }
}

function catalogueFor(config: Config, language: TextLanguage): object {
  const {
    path,
    dates,
    texts: { states },
  } = catalogueOf(language)
  const texts = Object.fromEntries(textKeys.map((key): [PageKey, Text] => [key, pageEntry(language, key)]))
  const words = Object.fromEntries(stateKeys.map((key) => [`word.${key}`, states[key]]))
  return { path, api: `${config.restPrefix}${path}/${namespaceOf(config)}`, dates, texts: { ...texts, ...words } }
}

/** Returns the script that shows the calendar on other sites: settings, styles and modules in one file. */
export async function embedScript(config: Config): Promise<Buffer> {
  const theme = config.siteTheme === undefined ? [] : [config.siteTheme]
  const files = [...calendarStyles, clientUrl('embed.css'), ...theme]
  const styles = await Promise.all(files.map(async (file) => hosted(await readFile(file, 'utf8'))))
  if (config.siteColour !== undefined) styles.splice(1, 0, hosted(config.siteColour))
  const head = `const settings = ${JSON.stringify(settingsOf(config))}\nconst styleTexts = ${JSON.stringify(styles)}\n`
  // Other sites load this script: blank lines and indentation would cost them bytes.
  const code = (await bundleModules(modules)).toString('utf8').replace(/\n\s+/g, '\n')
  return Buffer.from(head + code)
}

/** Adapts a style sheet of pages to the element: `:host` replaces `:root`, and comments and whitespace are removed. */
function hosted(sheet: string): string {
  return sheet
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/:root\b/g, ':host')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/ \{\n/g, '{')
    .replace(/;\n\}/g, '}')
    .replace(/(?<=[;,}])\n/g, '')
    .replace(/: /g, ':')
    .replace(/(?<=[\s:(,])0(?=\.\d+(?:r?em|%))/g, '')
    .replace(/ > /g, '>')
    .trim()
}
