/**
 * Sends the successful examples of the OpenAPI document, to the calendar that is made for them. Writes the responses to
 * answers.json, and different responses in other languages to the folder of the language:
 *
 *     npm run record-examples
 *
 * After a change of the wire format the diff shows what clients see of it.
 */
import { writeFile } from 'node:fs/promises'
import {
  DEFAULT_TEXT_LANGUAGE,
  otherTextLanguages,
  TEXT_LANGUAGE_PATHS,
  type TextLanguage,
} from '../src/base/languages/language.ts'
import { type ExampleDocument, examplesIn, playExample } from '../test/support/example.player.ts'
import { type ExampleSite, startExampleSite } from '../test/support/example.site.ts'

type Answers = Record<string, Record<string, unknown>>

const site = 'https://calendar.example.org'
const source = new URL('../src/', import.meta.url)

/** Settings whose words occur nowhere else in a response, so that they can be found in it. */
const settings = {
  PUBLIC_URL: site,
  REST_PREFIX: '/prefix',
  VENDOR_WORD: 'vendorword',
  LANGUAGE_PARAMETER: 'stem_language',
}

const words: readonly (readonly [found: RegExp | string, word: string])[] = [
  [/https:\/\/calendar\.example\.org\/prefix(\/fr)?(?=[/"])/g, '{base}'],
  [site, '{site}'],
  ['calendar.example.org?id=', '{globalIds}'],
  ['vendorword', '{vendorWord}'],
  ['stem_language', '{languageParameter}'],
  ['stem_translations', '{translations}'],
]

const ends: (() => unknown)[] = []
const calendar = await startExampleSite({ after: (end) => void ends.push(end as () => unknown) }, settings)
const answers = await record(calendar, DEFAULT_TEXT_LANGUAGE)
const others: [TextLanguage, Answers][] = []
for (const language of otherTextLanguages(DEFAULT_TEXT_LANGUAGE))
  others.push([language, await record(calendar, language)])
for (const end of ends) await end()
await write('publish/doc/examples/answers.json', answers)
for (const [language, own] of others) await write(`base/languages/${language}/answers.json`, onlyOthers(own, answers))

async function record(app: ExampleSite, language: TextLanguage): Promise<Answers> {
  const variant = TEXT_LANGUAGE_PATHS[language]
  const { body } = await app.send({ path: `/${settings.REST_PREFIX}${variant}/vendorword/events/v1/doc` })
  const document = body as ExampleDocument
  const answers: Answers = {}
  for (const example of examplesIn(document)) {
    const { operationId, name, answers: expected } = example
    const isRecorded = answers[operationId]?.[name] !== undefined
    // Endpoints with several methods give their own name to PATCH.
    if (isRecorded || /With(Post|Put)$/.test(operationId) || (expected[0]?.status ?? 400) >= 400) continue
    await app.restore()
    const { status, body: answer } = await playExample(app, document, example)
    if (status !== expected[0]?.status) throw new Error(`${operationId}, ${name}: ${JSON.stringify(answer)}`)
    answers[operationId] = { ...answers[operationId], [name]: inWords(answer) }
  }
  return answers
}

/** Returns the response with `{base}` and other placeholders instead of the values of the settings. */
function inWords(answer: unknown): unknown {
  return JSON.parse(words.reduce((text, [found, word]) => text.replaceAll(found, word), JSON.stringify(answer)))
}

/** Returns the responses of `some` that differ from those of the same name in `all`. */
function onlyOthers(some: Answers, all: Answers): Answers {
  const others = Object.entries(some).map(([operation, answers]) => {
    const own = Object.entries(answers).filter(
      ([name, answer]) => JSON.stringify(answer) !== JSON.stringify(all[operation]?.[name]),
    )
    return [operation, Object.fromEntries(own)] as const
  })
  return Object.fromEntries(others.filter(([, answers]) => Object.keys(answers).length > 0))
}

async function write(file: string, answers: Answers): Promise<void> {
  await writeFile(new URL(file, source), `${JSON.stringify(answers, undefined, 2)}\n`)
}
