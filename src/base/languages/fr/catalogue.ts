import type { Catalogue } from '../catalogue.ts'
import { stopWords } from '../en/stop.words.ts'
import answers from './answers.json' with { type: 'json' }
import descriptions from './descriptions.json' with { type: 'json' }
import desk from './desk.json' with { type: 'json' }
import docs from './docs.json' with { type: 'json' }
import examples from './examples.json' with { type: 'json' }
import feeds from './feeds.json' with { type: 'json' }
import messages from './messages.json' with { type: 'json' }
import openApi from './openapi.json' with { type: 'json' }
import pages from './pages.json' with { type: 'json' }
import recurrence from './recurrence.json' with { type: 'json' }
import settings from './settings.json' with { type: 'json' }
import states from './states.json' with { type: 'json' }

export const french = {
  code: 'fr',
  tag: 'fr-CA',
  name: 'Français',
  path: '/fr',
  texts: { messages, descriptions, openApi, docs, examples, feeds, pages, desk, states, settings, recurrence },
  answers,
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
