/**
 * Starts the service with a calendar full of events around the current date, to look at:
 *
 *     npm run demo -- --port 8080
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { createFirstAdministrator } from '../src/access/auth/user.service.ts'
import { createApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/base/config/config.ts'
import { EXIT, printError, say } from '../src/cli/output.ts'
import { progressBar } from '../src/cli/progress.ts'
import { cannotListen, startOrFail, stopSignal, welcome } from '../src/cli/service.ts'
import { openDeps, type Service } from '../src/main.ts'
import { demoClient } from './client.ts'
import { fillDemo, type OnStep } from './fill.ts'
import { demoZone } from './laval.ts'

interface DemoOptions {
  readonly port: string
  readonly host: string
  readonly keep?: string
}

await new Command('demo')
  .description('Serve a calendar full of events around today, in English and French.')
  .option('--port <number>', 'port to listen on', process.env.PORT || '3000')
  .option('--host <address>', 'address to listen on', process.env.HOST || '127.0.0.1')
  .option('--keep <folder>', 'keep the data in this folder; a demo that is there is served as it is')
  .action(demo)
  .parseAsync()

async function demo({ port, host, keep }: DemoOptions): Promise<void> {
  const folder = keep === undefined ? await mkdtemp(join(tmpdir(), 'cal-events-demo-')) : resolve(keep)
  try {
    const config = readConfig({
      ...{ DATA_DIR: folder, HOST: host, PORT: port, SITE_TIMEZONE: demoZone, SITE_NAME: 'Laval & friends' },
      ...{ CURRENCY_CODE: 'CAD', ADDRESS_LANGUAGES: 'fr-CA' },
    })
    const administrator = existsSync(config.databaseFile)
      ? undefined
      : await whileHolding(config, () => createDemo(config))
    const service = await startOrFail(config)
    say(welcome(config, { url: service.url, administrator: administrator ?? service.administrator }))
    say(summaryText(service.url))
    await stopSignal()
    await service.close()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    printError(error.message)
    process.exitCode = EXIT.unavailable
  } finally {
    if (keep === undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** Creates the data of the demo. Nobody sees it before it is complete, so its commits need not wait for the disk. */
async function createDemo(config: Config): Promise<Service['administrator']> {
  const deps = await openDeps(config, { isDurable: false })
  const server = createApp(deps)
  try {
    const first = await createFirstAdministrator(deps)
    if (!first) throw new Error('This folder has a calendar already, and it is not a demo.')
    const { user, secret, linkSecret } = first
    const progress = await shownProgress()
    const client = demoClient(server, `Basic ${btoa(`${user.name}:${secret}`)}`)
    await fillDemo(client, deps, user.id, progress.show).finally(progress.stop)
    return { name: user.name, secret, linkSecret }
  } finally {
    await server.close()
    await deps.pictures.imageWorker.close()
    await deps.storage.close()
  }
}

/** Shows a progress bar on a terminal, and elsewhere a line for each kind of record. */
async function shownProgress(): Promise<{ readonly show: OnStep; readonly stop: () => void }> {
  const bar = await progressBar('Making the demo')
  if (bar) return { show: (_what, done, total) => bar.show(done, total), stop: bar.stop }
  let last = ''
  return {
    show: (what) => {
      if (what !== last) printError(`Making the demo: ${what}`)
      last = what
    },
    stop: () => {},
  }
}

/**
 * Does this work while it holds the port. So long work is not done in vain, and no password is created that nobody
 * sees. Meanwhile requests get a 503.
 */
async function whileHolding<T>({ host, port }: Config, work: () => Promise<T>): Promise<T> {
  const holder = createServer((_request, response) => {
    response.writeHead(503, { 'Retry-After': '5', 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
    response.end('The demo is being made.\n')
  })
  const listening = once(holder, 'listening')
  holder.listen({ host, port })
  await listening.catch((error: NodeJS.ErrnoException) => {
    throw new Error(cannotListen({ host, port }, error.code, error.message), { cause: error })
  })
  try {
    return await work()
  } finally {
    holder.closeAllConnections()
    await new Promise((resolve) => holder.close(resolve))
  }
}

function summaryText(url: string): string {
  const api = `${url}/cal/events/v1`
  return [
    '',
    'To look at:',
    `  The calendar            ${url}/events/`,
    `  The same in French      ${url}/fr/events/`,
    `  Its month               ${url}/events/month/`,
    `  As JSON, in English     ${api}/events?ml_language=en`,
    `  The same in French      ${url}/fr/cal/events/v1/events`,
    `  Music, as a calendar    ${api}/events.ics?categories=music`,
    `  To subscribe            ${api.replace('http:', 'webcal:')}/events.ics`,
    `  Near Laval’s city hall  ${api}/events?geoloc=true&geoloc_lat=45.556&geoloc_lng=-73.752&geoloc_radius=3`,
    `  Try every operation     ${url}/docs`,
  ].join('\n')
}
