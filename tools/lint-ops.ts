// Checks the deployment files with the tools that are installed on this machine, and reports missing tools.
//   npm run lint:ops
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Linter {
  readonly command: string
  readonly args: readonly string[]
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const yaml = globSync('ops/**/*.yaml')
const manifests = yaml.filter((file) => file.includes('kubernetes/') && !file.endsWith('kustomization.yaml'))
const caddyfile = 'ops/compose/Caddyfile'
const unit = 'ops/systemd/cal-events.service'
const rules = '{extends: relaxed, rules: {line-length: {max: 140}}}'

const linters: readonly Linter[] = [
  { command: 'hadolint', args: ['Dockerfile'] },
  { command: 'yamllint', args: ['--strict', '--config-data', rules, ...yaml] },
  { command: 'kubeconform', args: ['-strict', '-summary', ...manifests] },
  ...[[], ['--file', 'ops/compose/cluster.yaml']].map((more) => ({
    command: 'docker',
    args: ['compose', '--file', 'ops/compose/compose.yaml', ...more, 'config', '--quiet'],
  })),
  { command: 'caddy', args: ['validate', '--config', caddyfile, '--adapter', 'caddyfile'] },
  { command: 'caddy', args: ['fmt', '--diff', caddyfile] },
  { command: 'shellcheck', args: ['ops/compose/secrets.sh'] },
  { command: 'varnishd', args: ['-C', '-f', `${process.cwd()}/ops/varnish/default.vcl`] },
  // A full verification needs the program at its place: docs/decisions/0020-packaging.md.
  { command: 'systemd-analyze', args: ['security', '--offline=true', '--threshold=20', '--no-pager', unit] },
]

const environment = { ...process.env, SITE: 'calendar.example.org' }
const outcomes = linters.map(({ command, args }) => {
  const said = [command, ...args.slice(0, 2)].join(' ')
  if (!isThere(command, args)) return { said, outcome: 'skipped, not on this machine' }
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: environment })
  if (status !== 0) console.error(`${stdout}${stderr}`)
  return { said, outcome: status === 0 ? 'well' : 'FAULTY' }
})

for (const { said, outcome } of outcomes) console.log(`${outcome}: ${said}`)
process.exitCode = outcomes.some(({ outcome }) => outcome === 'FAULTY') ? 1 : 0

/** Returns true if a program is installed, and for `docker` also the plugin of the subcommand. */
function isThere(command: string, [first = '']: readonly string[]): boolean {
  const asked = command === 'docker' ? [first, 'version'] : ['--version']
  const { error, status } = spawnSync(command, asked)
  return error === undefined && (command !== 'docker' || status === 0)
}
