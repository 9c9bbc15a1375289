import type { Catalogue } from '../catalogue.ts'
import { stopWords } from '../en/stop.words.ts'
import answers from './answers.json' with { type: 'json' }
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
import { settingMeanings } from './settings.ts'
import { stateTexts } from './states.ts'

export const french = {
  code: 'fr',
  tag: 'fr-CA',
  name: 'Français',
  path: '/fr',
  messages,
  descriptions,
  openApi: openApiTexts,
  docs: docsTexts,
  examples: exampleTexts,
  answers,
  feeds: feedTexts,
  pages: pageTexts,
  desk: { ...deskTexts, ...deskEditorTexts, ...deskRecordTexts },
  states: stateTexts,
  settings: settingMeanings,
  dates: {
    locale: 'fr-CA',
    firstOfMonth: '1er',
    wholeHour: ' h',
    days: 'du {from} au {to}',
    hours: 'de\u00a0{from} à\u00a0{to}',
    moment: '{day} à\u00a0{time}',
    moments: 'du {from} au {to}',
  },
  zoneLetters: 'own',
  // Québec French writes every currency sign after the number: `15 $`, `15 $ US`.
  currencySign: 'after',
  // Contract: a search drops these words in every language of the contract (events.md §1 "Search").
  dateWords: {
    days: { 'aujourd’hui': 0, demain: 1, 'apres-demain': 2 },
    ...{ next: ['prochain', 'prochaine'], noon: ['midi'], midnight: ['minuit'] },
    ignored: ['a', 'le', 'de', 'du', 'des', 'ce', 'h'],
  },
  stopWords,
} as const satisfies Catalogue
