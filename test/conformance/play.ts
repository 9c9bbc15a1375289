// Plays the shared conformance cases, or this checkout's copy of them, against the service:
//   npm run conformance -- [--only TEXT] [--verbose]
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const shared = new URL('../../../shared/conformance/', import.meta.url)
const folder = existsSync(new URL('run.mjs', shared)) ? shared : new URL('player/', import.meta.url)
const cases = folder === shared ? new URL('cases', shared) : new URL('cases', import.meta.url)
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
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { CONFORMANCE_USERS: users, ...process.env } },
)
process.exitCode = status ?? 2
