// Changes the code in many small ways, and counts how many of these mutants a test notices:
//   npm run mutate                       all rooms of the table below, one after the other
//   npm run mutate -- time limits        these rooms
//   npm run mutate -- --only event.window.ts events
//   npm run mutate -- --sample 80 --seed 7 time        80 mutants of the room, chosen at random
// Prints each mutant that no test notices with its place, and the score at the end. The measurements are in
// docs/testing.md.
import { randomInt } from 'node:crypto'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { instrument, sample } from './mutation/mutants.ts'
import { inLanes, MutantRunner, type Verdict } from './mutation/runs.ts'

/** The folder of a room, and the tests besides its own that verify it. */
interface Room {
  readonly folder: string
  readonly otherTests?: readonly string[]
  /** Slow tests that find no mutants beyond those that other tests find. */
  readonly leftOut?: readonly string[]
}

/** They notice what becomes of schemas, summaries and examples. */
const documentTests = ['src/publish/doc/openapi*.test.ts', 'test/client/generated.test.ts']

const rooms: Readonly<Record<string, Room>> = {
  time: { folder: 'src/base/time' },
  text: { folder: 'src/base/text', otherTests: ['src/publish/pages/frame/article.test.ts'] },
  languages: {
    folder: 'src/base/languages',
    otherTests: ['src/calendar/translations/settings.test.ts', 'src/publish/pages/{dates,price}.test.ts'],
  },
  limits: {
    folder: 'src/base/limits',
    otherTests: [
      'src/access/http/site.test.ts',
      'src/access/server/{admission,connections*,limits,slow.readers,unread.limit}.test.ts',
    ],
  },
  http: {
    folder: 'src/access/http',
    otherTests: [
      'src/access/server/{cache.bounds,dropin,limits}.test.ts',
      'src/publish/pages/event/event.fresh.test.ts',
      'src/publish/doc/service.wire.test.ts',
      'test/contract/conventions*.test.ts',
      ...documentTests,
    ],
  },
  terms: { folder: 'src/calendar/terms', otherTests: documentTests },
  translations: {
    folder: 'src/calendar/translations',
    otherTests: ['src/calendar/events/event.{groups,languages}.test.ts', 'src/calendar/terms/term.list.test.ts'],
    leftOut: ['walk', 'model'],
  },
  events: {
    folder: 'src/calendar/events',
    otherTests: [
      'src/calendar/{media/media.fetch,trash/restore}.test.ts',
      'src/publish/feeds/feeds.long.test.ts',
      'src/publish/pages/{discovery,price}.test.ts',
      'src/publish/pages/event/event.page.test.ts',
      ...documentTests,
    ],
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string' },
    seed: { type: 'string' },
    concurrency: { type: 'string', default: '2' },
  },
})
const unknown = positionals.find((name) => !rooms[name])
if (unknown !== undefined)
  throw new Error(`No room is called “${unknown}”. There are ${Object.keys(rooms).join(', ')}.`)
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
const lanes = Number(values.concurrency)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const scores: string[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(rooms)) scores.push(await scoreOf(name))
console.log(
  [
    '',
    '| room | mutants | tried | seed | killed | survived | without a test | score | 95 % interval |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...scores,
  ].join('\n'),
)

/** No test checks texts. */
function isMutated(file: string): boolean {
  const isText = /\/(en|fr)\/|\.texts\.ts$/.test(file)
  return !isText && !/\.(test|d)\.ts$/.test(file) && (values.only.length === 0 || values.only.includes(basename(file)))
}

async function scoreOf(name: string): Promise<string> {
  const { folder, otherTests = [], leftOut = [] } = rooms[name] as Room
  const testFiles = globSync([`${folder}/*.test.ts`, ...otherTests])
    .filter((file) => !leftOut.some((part) => file.includes(part)))
    .toSorted()
  const { mutants, sources } = await instrument(globSync(`${folder}/*.ts`).filter(isMutated).toSorted())
  const tried = values.sample === undefined ? mutants : sample(mutants, Number(values.sample), seed)
  const runner = new MutantRunner(sources)
  const remove = () => runner.remove()
  process.once('exit', remove)
  try {
    console.log(`${name}: ${mutants.length} mutants, ${tried.length} of them with seed ${seed}.`)
    await runner.record(testFiles, lanes)
    const verdicts = await inLanes(tried, lanes, async (mutant) => {
      const verdict = await runner.judge(mutant)
      if (!isNoticed(verdict)) console.log(survivor(verdict))
      return verdict
    })
    mkdirSync('coverage/mutation', { recursive: true })
    writeFileSync(`coverage/mutation/${name}.json`, JSON.stringify(verdicts, undefined, 2))
    return row(name, mutants.length, verdicts)
  } finally {
    remove()
    process.off('exit', remove)
  }
}

function isNoticed({ result }: Verdict): boolean {
  return result === 'killed' || result === 'timeout'
}

function survivor({ mutant: { file, line, kind, original, replacement }, result }: Verdict): string {
  return `${result} ${file}:${line} ${kind}\n  - ${original}\n  + ${replacement}`
}

function row(name: string, all: number, verdicts: readonly Verdict[]): string {
  const count = (wanted: Verdict['result']) => verdicts.filter(({ result }) => result === wanted).length
  const killed = verdicts.filter(isNoticed).length
  const [low, high] = interval(killed, verdicts.length)
  return [
    ...['', name, all, verdicts.length, values.sample === undefined ? '–' : seed],
    ...[killed, count('survived'), count('uncovered'), percent(killed / verdicts.length)],
    ...[verdicts.length === all ? '–' : `${percent(low)} to ${percent(high)}`, ''],
  ]
    .join(' | ')
    .trim()
}

/** The interval that contains the share of all mutants with a probability of 95 % (Wilson score). */
function interval(killed: number, tried: number): readonly [number, number] {
  const z = 1.96
  const share = killed / tried
  const middle = share + z ** 2 / (2 * tried)
  const half = z * Math.sqrt((share * (1 - share)) / tried + z ** 2 / (4 * tried ** 2))
  const whole = 1 + z ** 2 / tried
  return [(middle - half) / whole, (middle + half) / whole]
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
