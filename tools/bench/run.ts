// The benchmarks: `npm run bench -- --help`. They print figures and judge only their own targets.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { datasetOf } from './dataset.ts'
import { dearRequests } from './dear.ts'
import { deskScreens } from './desk.ts'
import { onPostgres } from './postgres.ts'
import { newReads, readsUnderWrites, repeatedReads } from './reads.ts'
import { listsWithSeries } from './series.ts'
import { againstSql } from './sql.ts'
import { startAndMemory } from './startup.ts'
import { growthOf, markdownTable, type Row, textTable } from './table.ts'
import { createdEvents, importedEvents } from './writes.ts'

const run = promisify(execFile)

const SECTIONS = [
  'reads',
  'new',
  'under-writes',
  'writes',
  'import',
  'life',
  'postgres',
  'dear',
  'series',
  'desk',
] as const
/** Left out unless they are asked for. */
const special: readonly Section[] = ['postgres', 'dear', 'series', 'desk']
type Section = (typeof SECTIONS)[number]

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100000' },
    only: { type: 'string', default: SECTIONS.filter((section) => !special.includes(section)).join(',') },
    section: { type: 'string' },
    data: { type: 'string', default: 'bench-data' },
    postgres: { type: 'string' },
    matching: { type: 'string' },
    imported: { type: 'string', default: '100000' },
    markdown: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`Measures the service against floors of the same run, on calendars that it makes and keeps.

  npm run bench
  npm run bench -- --sizes 10000,100000,1000000 --only new
  npm run bench -- --only postgres --postgres postgres://me@127.0.0.1/empty
  npm run bench -- --section dear --sizes 100000,1000000

  --sizes NUMBERS    events, comma-separated (100000)
  --only SECTIONS    of ${SECTIONS.join(', ')}
  --section NAME     the same as --only, for one
  --matching REGEXP  play only requests of dear, or screens of desk, that match, such as “venues.*\\(visitor\\)”
  --data FOLDER      where the calendars are kept (bench-data)
  --postgres URL     a database with a copy of the calendar, by “db copy”; dear is then played there
  --imported NUMBER  events of the import (100000)
  --markdown         print the table for docs/performance.md
  --json             print rows for machines

BENCH_PROGRAM=FILE measures that launcher, of an installed package, in place of this checkout.`)
  process.exit(0)
}

const sections = new Set((values.section ?? values.only).split(',') as Section[])
for (const section of sections) {
  if (!SECTIONS.includes(section)) throw new Error(`There is no section ${section}; there are ${SECTIONS.join(', ')}.`)
}
if (sections.has('postgres') && !values.postgres) throw new Error('For PostgreSQL name a database, by --postgres URL.')
const { postgres } = values
const rows: Row[] = []

async function measure(title: string, work: () => Promise<readonly Row[]>): Promise<void> {
  process.stderr.write(`${title} …\n`)
  const beganAtMs = performance.now()
  rows.push(...(await work()))
  process.stderr.write(`  ${((performance.now() - beganAtMs) / 1000).toFixed(0)} s\n`)
}

/** Runs `work` on a copy of a calendar, because it writes. */
async function onCopy<T>(folder: string | undefined, work: (copy: string) => Promise<T>): Promise<T> {
  const copy = await mkdtemp(join(tmpdir(), 'cal-events-bench-'))
  try {
    if (folder) await cp(folder, copy, { recursive: true })
    // Otherwise the disk is still busy with the copy while the service waits for it.
    await run('sync')
    return await work(copy)
  } finally {
    await rm(copy, { recursive: true })
  }
}

for (const size of values.sizes.split(',').map(Number)) {
  const place = await datasetOf(size, resolve(values.data))
  const { folder } = place
  const of = ` of ${size.toLocaleString('en')} events`
  if (sections.has('reads')) await measure(`Repeated reads${of}`, () => repeatedReads(place))
  if (sections.has('new')) {
    await measure(`New lists and searches${of}`, () => newReads(place))
    await measure(`New lists against their SQL${of}`, () => againstSql(folder, size))
  }
  if (sections.has('under-writes')) {
    await measure(`Reads under writes${of}`, () => onCopy(folder, (copy) => readsUnderWrites({ folder: copy, size })))
  }
  if (sections.has('life')) await measure(`Start and memory${of}`, () => startAndMemory(folder, size))
  if (sections.has('postgres') && postgres) await measure(`PostgreSQL${of}`, () => onPostgres(folder, size, postgres))
  if (sections.has('series')) await measure(`Series${of}`, () => listsWithSeries(place))
  if (sections.has('desk')) {
    const { matching } = values
    await measure(`The desk${of}`, () => onCopy(folder, (copy) => deskScreens({ folder: copy, size, matching })))
  }
  if (sections.has('dear')) {
    const asked = { size, postgres, matching: values.matching }
    const title = `Dear requests${of}${postgres ? ', PostgreSQL' : ''}`
    await measure(title, () =>
      // On PostgreSQL only the database is written to, and no file is read.
      onCopy(postgres ? undefined : folder, (copy) => dearRequests({ ...asked, folder: copy })),
    )
  }
}
if (sections.has('writes')) await measure('Writes', () => onCopy(undefined, createdEvents))
if (sections.has('import'))
  await measure('Import', () => onCopy(undefined, (copy) => importedEvents(copy, Number(values.imported))))

rows.push(...growthOf(rows))

if (values.json) console.log(JSON.stringify(rows, undefined, 2))
else console.log(values.markdown ? markdownTable(rows) : textTable(rows))
