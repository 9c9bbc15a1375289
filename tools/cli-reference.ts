// Writes the output of --help into docs/reference/cli.md: npm run cli-reference
import { readFileSync, writeFileSync } from 'node:fs'
import { withCommands } from './cli-reference.list.ts'

const page = new URL('../docs/reference/cli.md', import.meta.url)
writeFileSync(page, withCommands(readFileSync(page, 'utf8')))
