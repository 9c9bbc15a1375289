import type { TextLanguage } from '../../../base/languages/language.ts'
import frenchAnswers from './answers.fr.json' with { type: 'json' }
import answers from './answers.json' with { type: 'json' }
import { organizerExamples, venueExamples } from './directory.examples.ts'
import { eventExamples } from './event.examples.ts'
import type { ExamplesByOperation } from './example.ts'
import { indexExamples } from './index.examples.ts'
import { termExamples } from './term.examples.ts'

type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export const EXAMPLES: ExamplesByOperation = {
  ...indexExamples,
  ...eventExamples,
  ...venueExamples,
  ...organizerExamples,
  ...termExamples,
}

/** What was recorded as the answer to an example, in French where that is another one. */
export function recordedAnswer(language: TextLanguage, operation: string, name: string): unknown {
  const inFrench = language === 'fr' ? (frenchAnswers as Answers)[operation]?.[name] : undefined
  return inFrench ?? (answers as Answers)[operation]?.[name]
}
