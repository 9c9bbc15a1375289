import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { PROBLEMS } from '../src/base/problems.ts'
import { metricsOnce, startMonitoredApp } from './support/monitored.app.ts'

/** Some tests wait for work after an answer. */
const options = { timeout: 60_000 }

/** Quotation marks enclose names of labels and values, not numbers. */
function withoutTexts(expression: string): string {
  return expression.replace(/"[^"]*"/g, '""')
}

function isBalanced(expression: string): boolean {
  const open: string[] = []
  const pairs: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[' }
  for (const sign of withoutTexts(expression)) {
    if ('({['.includes(sign)) open.push(sign)
    if (sign in pairs && open.pop() !== pairs[sign]) return false
  }
  return open.length === 0
}

test('the dashboard and the alerts ask for what there is, and the manual explains every alert', options, async (t) => {
  const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  const dashboard = JSON.parse(read('ops/grafana-dashboard.json'))
  const rules = parse(read('ops/alerts.yaml')).groups.flatMap((group: { readonly rules: object[] }) => group.rules)
  const manual = read('docs/monitoring.md')
  const app = await startMonitoredApp(t, { METRICS_FROM: 'private', LOG_LEVEL: 'silent' })
  await (await app.get(`/cal/events/v1/events/1`)).arrayBuffer()
  const numbers = await metricsOnce(app, (now) =>
    [...now.keys()].some((name) => name.startsWith('cal_events_problems')),
  )
  const exported = new Set([...numbers.keys()].map((name) => name.replace(/\{.*/, '')))

  const shown: string[] = dashboard.panels.flatMap((panel: { readonly targets: { readonly expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  )
  const expressions = [...shown, ...rules.map(({ expr }: { readonly expr: string }) => expr)]
  const named = new Set(expressions.flatMap((expr) => withoutTexts(expr).match(/\b(?:cal_events|nodejs|process)_\w+/g)))
  const codes = expressions.flatMap((expr) =>
    [...expr.matchAll(/code=~?"([^"]+)"/g)].flatMap(([, all = '']) => all.split('|')),
  )

  assert.ok(expressions.length > 25)
  assert.deepEqual(
    [...named].filter((name) => !exported.has(name ?? '')),
    [],
  )
  assert.deepEqual(
    codes.filter((code) => !(code in PROBLEMS)),
    [],
  )
  assert.deepEqual(
    expressions.filter((expr) => !isBalanced(expr)),
    [],
  )
  for (const { alert } of rules) assert.ok(manual.includes(`\`${alert}\``), alert)
  const ours = [...exported].filter((name) => name.startsWith('cal_events_'))
  for (const name of ours.map((one) => one.replace(/_(?:bucket|sum|count)$/, '')))
    assert.ok(manual.includes(name), name)
})
