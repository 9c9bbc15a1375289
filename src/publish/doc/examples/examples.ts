import type { RecordedAnswers } from '../../../base/languages/catalogue.ts'
import { catalogueOf, type TextLanguage } from '../../../base/languages/language.ts'
import answers from './answers.json' with { type: 'json' }
import { organizerExamples, venueExamples } from './directory.examples.ts'
import { eventExamples } from './event.examples.ts'
import type { ExamplesByOperation } from './example.ts'
import { termExamples } from './term.examples.ts'

const indexExamples: ExamplesByOperation = {
  getIndex: {
    'one-route': { parameters: { _fields: ['namespace', 'routes./{vendorWord}/events/v1/doc'] } },
    'unknown-namespace': { parameters: { namespace: 'other/v1' }, problem: { code: 'rest_invalid_namespace' } },
  },
  getDocument: { 'version-only': { parameters: { _fields: ['openapi'] } } },
}

export const EXAMPLES: ExamplesByOperation = {
  ...indexExamples,
  ...eventExamples,
  ...venueExamples,
  ...organizerExamples,
  ...termExamples,
}

/** Returns the recorded answer of an example, in this language if that answer differs. */
export function recordedAnswer(language: TextLanguage, operation: string, name: string): unknown {
  const own = catalogueOf(language).answers[operation]?.[name]
  return own ?? (answers as RecordedAnswers)[operation]?.[name]
}
