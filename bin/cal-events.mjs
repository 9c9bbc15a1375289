#!/usr/bin/env node
// Plain JavaScript without new syntax, so that an older Node can still report what is missing.
import { existsSync } from 'node:fs'

const [major, minor] = process.versions.node.split('.').map(Number)
// 24.7 has argon2, which hashes the passwords of people.
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `cal-events needs Node 24.7 or later; this is Node ${process.versions.node}. In a checkout, use “npm run cal-events -- …”, or “npm start” to serve.`,
  )
  process.exit(78)
}
// A checkout runs its sources and ignores earlier builds. A package has no sources, because Node strips no types below
// node_modules.
const source = new URL('../src/cli/cli.ts', import.meta.url)
const isCheckout = existsSync(source)
// This precedes every import. An older Node could not even parse the program.
if (isCheckout) (await import('./compiled.mjs')).keepCompiled()
if (!globalThis.Temporal) await import('temporal-polyfill/global')
const compiled = new URL('../dist/cli/cli.js', import.meta.url)
const { run } = await import(isCheckout ? source : compiled)
process.exitCode = await run(process.argv.slice(2))
