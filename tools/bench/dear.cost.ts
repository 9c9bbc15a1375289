import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import pg from 'pg'

/** Milliseconds of processor time. */
export interface Cost {
  /** Of the process of the service, in all its threads. */
  readonly service: number
  /** Of the processes of PostgreSQL that serve it; 0 on SQLite, or if the database runs elsewhere. */
  readonly database: number
}

/** Tells the processor time used so far. */
export interface Meter {
  read(): Promise<Cost>
  close(): Promise<void>
}

/** Opens a meter for a service that was started with `dear.cpu.ts`, and for its database. */
export async function openMeter(child: ChildProcess, url: string | undefined): Promise<Meter> {
  const service = async () => {
    const told = once(child, 'message')
    child.send('cpu')
    const [milliseconds] = (await told) as [number]
    return milliseconds
  }
  const client = url === undefined ? undefined : new pg.Client({ connectionString: url })
  await client?.connect()
  return {
    read: async () => ({ service: await service(), database: client ? await databaseCost(client) : 0 }),
    close: async () => client?.end(),
  }
}

/** Milliseconds for which a thread was ready so far, but the machine had no processor for it. */
type Withheld = readonly number[]

/** Reads the withheld time of the main threads of this process and of the service. */
export function readWithheld(pid: number): Withheld {
  return [process.pid, pid].map((one) => {
    const [, waited = '0'] = readFileSync(`/proc/${one}/task/${one}/schedstat`, 'utf8').split(' ')
    return Number(waited) / 1e6
  })
}

/** Returns the time withheld since `before`, of the thread that waited more: both may have waited at the same time. */
export function withheldSince(before: Withheld, pid: number): number {
  return Math.max(...readWithheld(pid).map((waited, place) => waited - (before[place] ?? 0)))
}

/** Adds up the backends of the service, and what workers used that PostgreSQL started for them and that have ended. */
async function databaseCost(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const parents = new Set<number>()
  let sum = 0
  for (const { pid } of rows) {
    const [times, stat] = await Promise.all([read(`/proc/${pid}/schedstat`), read(`/proc/${pid}/stat`)])
    sum += Number(times.split(' ')[0] ?? 0) / 1e6
    if (stat !== '') parents.add(Number(fieldsOf(stat)[1]))
  }
  // In hundredths of a second: the times of children that have ended (proc(5), cutime and cstime).
  for (const parent of parents) {
    const fields = fieldsOf(await read(`/proc/${parent}/stat`))
    sum += (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * 10
  }
  return sum
}

/** Returns the fields after the name of the program, which may contain spaces. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}
