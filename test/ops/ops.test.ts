import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { SETTINGS } from '../../src/base/config/config.ts'
import { nodeOptions } from '../../src/cli/workers.ts'

// Checks what the deployment files promise, because no engine is available to run them.

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
/** Seconds between the end of interrupted requests and the kill: docs/deploy.md. */
const spareSeconds = 10

// biome-ignore lint/suspicious/noExplicitAny: a YAML document, of which each test reads another part.
type Yaml = any

const compose: Yaml = parse(textOf('ops/compose/compose.yaml'), { merge: true })
const manifests: readonly Yaml[] = globSync('ops/kubernetes/*.yaml', { cwd: root }).flatMap((file) =>
  parseAllDocuments(textOf(file)).map((document) => {
    assert.deepEqual(document.errors, [], file)
    return document.toJS()
  }),
)
const kind = (name: string): Yaml => manifests.find((manifest) => manifest.kind === name)

/** The lines of a Dockerfile that start with this word, with their continuation lines joined. */
function instructions(word: string): readonly string[] {
  const lines = textOf('Dockerfile').replaceAll('\\\n', ' ').split('\n')
  return lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1).trim())
}

/** Directives of the unit by name. */
const unit = new Map(
  textOf('ops/systemd/cal-events.service')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
      return name ? [[name, value] as const] : []
    }),
)

test('the image has the Node that the tests run on, which is one that the package takes', () => {
  const [, image = ''] = /^NODE=node:([\d.]+)-[a-z]+-slim$/.exec(instructions('ARG')[0] ?? '') ?? []
  const [major = 0, minor = 0] = image.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = packageJson.engines.node.replace('>=', '').split('.').map(Number)

  assert.equal(image, packageJson.devDependencies.node)
  assert.ok(major > leastMajor || (major === leastMajor && minor >= leastMinor), image)
  assert.ok(instructions('FROM').every((base) => base.startsWith('$' + '{NODE}')))
})

test('the image runs as nobody in particular, is told to end as the service expects, and is asked whether it lives', () => {
  assert.match(instructions('USER').at(-1) ?? '', /^[1-9]\d*:[1-9]\d*$/)
  assert.deepEqual(instructions('STOPSIGNAL'), ['SIGTERM'])
  assert.deepEqual(instructions('VOLUME'), ['/data'])
  assert.match(instructions('HEALTHCHECK').join(), /CMD \["node", .*\/health\/live/)
  // A shell in between would not forward signals to it.
  assert.deepEqual(
    instructions('ENTRYPOINT').map((line) => JSON.parse(line)),
    [['node', ...nodeOptions, 'bin/cal-events.mjs']],
  )
  assert.equal(packageJson.scripts.start, ['node', ...nodeOptions, 'bin/cal-events.mjs', 'serve'].join(' '))
})

test('whatever the image copies is there, and is let through by .dockerignore', () => {
  const copied = instructions('COPY')
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1))
  const admitted = textOf('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))

  assert.deepEqual([...new Set(copied)].sort(), admitted.sort())
  assert.deepEqual(
    copied.filter((file) => !existsSync(join(root, file))),
    [],
  )
})

test('no service of compose can change itself, gain rights or die unseen, and each image has a version', () => {
  for (const [name, service] of Object.entries<Yaml>(compose.services)) {
    assert.equal(service.read_only, true, name)
    assert.deepEqual(service.cap_drop, ['ALL'], name)
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    assert.ok(
      service.healthcheck.test.every((word: unknown) => typeof word === 'string'),
      name,
    )
    assert.equal(service.restart, 'unless-stopped', name)
    if (!service.build) assert.match(service.image, /:\d+\.\d+/, name)
  }
})

test('no secret stands in a file that is kept', () => {
  const names = Object.values<Yaml>(compose.services).flatMap((service) => Object.keys(service.environment))
  const secrets = Object.values<Yaml>(compose.secrets).map(({ file }) => file)
  const values = manifests
    .filter((manifest) => manifest.kind === 'Secret')
    .flatMap((secret) => Object.values<string>(secret.stringData))

  for (const name of [...names, ...Object.keys(kind('ConfigMap').data)]) {
    assert.doesNotMatch(name, /(PASSWORD|KEY|TOKEN|DATABASE_URL)$/)
  }
  assert.ok(secrets.every((file) => file.startsWith('secrets/')) && textOf('ops/compose/.gitignore') === 'secrets/\n')
  assert.ok(values.length > 0 && values.every((value) => value.includes('REPLACE_ME')))
})

test('two nodes are behind the proxy, which asks both whether they are ready', () => {
  const nodes = Object.keys(compose.services).filter((name) => compose.services[name].build)
  const [, upstreams = ''] = /reverse_proxy (.+) \{/.exec(textOf('ops/compose/Caddyfile')) ?? []

  assert.equal(nodes.length, 2)
  assert.deepEqual(
    upstreams.split(' '),
    nodes.map((node) => `${node}:3000`),
  )
  assert.match(textOf('ops/compose/Caddyfile'), /health_uri \/health\/ready/)
})

test('whoever stops the service waits until it has ended by itself', () => {
  const patience = ({ SHUTDOWN_DELAY = 0, SHUTDOWN_TIMEOUT = 25 }: Yaml) =>
    Number(SHUTDOWN_DELAY) + Number(SHUTDOWN_TIMEOUT) + spareSeconds
  const node = compose.services['node-1']
  const pod = kind('Deployment').spec.template.spec

  assert.ok(Number.parseInt(node.stop_grace_period, 10) >= patience(node.environment))
  assert.ok(pod.terminationGracePeriodSeconds >= patience(kind('ConfigMap').data))
  assert.ok(Number(unit.get('TimeoutStopSec')) >= patience({}))
})

test('a pod is restricted, asked by the right probes, and of this version', () => {
  const { spec } = kind('Deployment').spec.template
  const [container] = spec.containers
  const pathOf = (probe: string) => container[probe].httpGet.path

  assert.equal(kind('Namespace').metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted')
  assert.equal(spec.securityContext.runAsNonRoot, true)
  assert.equal(`${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`, instructions('USER').at(-1))
  assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault')
  assert.equal(spec.automountServiceAccountToken, false)
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  assert.deepEqual(['startupProbe', 'livenessProbe', 'readinessProbe'].map(pathOf), [
    '/health/live',
    '/health/live',
    '/health/ready',
  ])
  assert.ok(container.resources.requests.cpu && container.resources.limits.memory)
  assert.equal(container.image.split(':').at(-1), packageJson.version)
})

test('the manifests name each other as they are called, and all but the example are applied', () => {
  const { metadata, spec } = kind('Deployment')
  const { labels } = spec.template.metadata
  const files = globSync('ops/kubernetes/*.yaml', { cwd: root }).map((file) => basename(file))

  for (const { matchLabels } of [spec.selector, kind('PodDisruptionBudget').spec.selector]) {
    assert.deepEqual(matchLabels, labels)
  }
  assert.deepEqual(kind('Service').spec.selector, labels)
  assert.equal(kind('HorizontalPodAutoscaler').spec.scaleTargetRef.name, metadata.name)
  assert.ok(kind('HorizontalPodAutoscaler').spec.minReplicas > kind('PodDisruptionBudget').spec.minAvailable)
  assert.deepEqual(
    [...kind('Kustomization').resources, 'kustomization.yaml', 'secret.example.yaml'].sort(),
    files.sort(),
  )
})

test('the unit shuts the service in, and starts the program of the package', () => {
  const closed = ['NoNewPrivileges', 'PrivateDevices', 'PrivateTmp', 'ProtectHome', 'ProtectKernelTunables']

  assert.deepEqual(
    closed.filter((name) => unit.get(name) !== 'yes'),
    [],
  )
  assert.deepEqual(
    ['User', 'ProtectSystem', 'CapabilityBoundingSet', 'StateDirectory'].map((name) => unit.get(name)),
    ['cal-events', 'strict', '', 'cal-events'],
  )
  assert.ok(unit.get('ExecStart')?.includes(`/node_modules/cal-events/${packageJson.bin['cal-events']} serve`))
})

test('every setting that is set is one that the service has', () => {
  const lines = textOf('ops/systemd/env.example').matchAll(/^#?([A-Z_]+)=/gm)
  const set = [
    ...Object.keys(compose.services['node-1'].environment),
    ...Object.keys(kind('ConfigMap').data),
    ...kind('Deployment').spec.template.spec.containers[0].env.map(({ name }: Yaml) => name),
    ...[...lines].map(([, name = '']) => name),
  ]
  const known = new Set<string>(Object.values(SETTINGS).map(({ name }) => name))

  assert.ok(set.length > 12)
  assert.deepEqual(
    set.filter((name) => !known.has(name.replace(/_FILE$/, ''))),
    [],
  )
})
