// Plays the shared conformance cases, or this checkout's copy of them, against the service:
//   npm run conformance -- [--only TEXT] [--verbose]
// With VENDOR_WORD, LANGUAGE_PARAMETER and REST_PREFIX set, it plays them with these words and addresses.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const shared = new URL('../../../shared/conformance/', import.meta.url)
const folder = existsSync(new URL('run.mjs', shared)) ? shared : new URL('player/', import.meta.url)
const cases = folder === shared ? new URL('cases', shared) : new URL('cases', import.meta.url)
const { VENDOR_WORD: vendor, REST_PREFIX: prefix, LANGUAGE_PARAMETER: parameter } = process.env
const users = fileURLToPath(new URL('users.json', folder))
const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('run.mjs', folder)),
    '--launch',
    `${process.execPath} ${fileURLToPath(new URL('serve.ts', import.meta.url))}`,
    '--cases',
    fileURLToPath(cases),
    '--users',
    users,
    ...(vendor ? ['--namespace', `${vendor}/events/v1`] : []),
    ...(prefix ? ['--prefix', prefix] : []),
    ...(parameter ? ['--language-parameter', parameter] : []),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { CONFORMANCE_USERS: users, ...process.env } },
)
process.exitCode = status ?? 2
