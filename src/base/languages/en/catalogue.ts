import type { Catalogue } from '../catalogue.ts'
import { descriptions } from './descriptions.ts'
import { deskEditorTexts } from './desk.editor.ts'
import { deskRecordTexts } from './desk.records.ts'
import { deskTexts } from './desk.ts'
import { docsTexts } from './docs.ts'
import { exampleTexts } from './examples.ts'
import { feedTexts } from './feeds.ts'
import { messages } from './messages.ts'
import { openApiTexts } from './openapi.ts'
import { pageTexts } from './pages.ts'
import { stateTexts } from './states.ts'
import { stopWords } from './stop.words.ts'

export const english = {
  code: 'en',
  tag: 'en',
  name: 'English',
  path: '',
  messages,
  descriptions,
  openApi: openApiTexts,
  docs: docsTexts,
  examples: exampleTexts,
  answers: {},
  feeds: feedTexts,
  pages: pageTexts,
  desk: { ...deskTexts, ...deskEditorTexts, ...deskRecordTexts },
  states: stateTexts,
  // Those of the table of settings.
  settings: {},
  dates: { locale: 'en-CA', firstOfMonth: '1', wholeHour: '', moments: '{from} – {to}' },
  zoneLetters: 'database',
  currencySign: 'as-set',
  dateWords: {
    days: { today: 0, tonight: 0, tomorrow: 1 },
    ...{ next: ['next'], noon: ['noon'], midnight: ['midnight'] },
    ignored: ['at', 'on', 'the', 'of', 'from', 'this'],
  },
  stopWords,
} as const satisfies Catalogue
