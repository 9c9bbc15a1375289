import type { Catalogue } from '../catalogue.ts'
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
import { stopWords } from './stop.words.ts'

export const english = {
  code: 'en',
  tag: 'en',
  name: 'English',
  path: '',
  texts: { messages, descriptions, openApi, docs, examples, feeds, pages, desk, states, settings, recurrence },
  answers: {},
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
