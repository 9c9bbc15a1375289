// Writes the table of settings into the pages that contain it: npm run settings-table
import { readFileSync, writeFileSync } from 'node:fs'
import { withSettingsTable } from './settings-table.list.ts'

for (const name of ['README.md', 'docs/reference/configuration.md']) {
  const page = new URL(`../${name}`, import.meta.url)
  writeFileSync(page, withSettingsTable(readFileSync(page, 'utf8')))
}
