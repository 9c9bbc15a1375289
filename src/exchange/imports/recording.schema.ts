import Type from 'typebox'
import { count, text, withDescription } from '../../access/http/schema.ts'
import { importGroups } from './import.summary.ts'

const CountsSchema = Type.Object(
  {
    created: count('Import.created'),
    updated: count('Import.updated'),
    unchanged: count('Import.unchanged'),
    failed: count('Import.failed'),
  },
  withDescription('Import.counts'),
)

const remarks = (key: 'Import.failures' | 'Import.warnings') =>
  Type.Array(Type.Object({ path: text('Import.path'), text: text('Import.text') }), withDescription(key))

export const ImportSchema = Type.Object(
  {
    dry_run: Type.Boolean(withDescription('Import.dry_run')),
    found: count('Import.found'),
    ...(Object.fromEntries(importGroups.map((group) => [group, CountsSchema])) as Record<
      (typeof importGroups)[number],
      typeof CountsSchema
    >),
    skipped_images: count('Import.skipped_images'),
    protected_events: count('Import.protected_events'),
    failures: remarks('Import.failures'),
    warnings: remarks('Import.warnings'),
  },
  { $id: 'Import', ...withDescription('Import') },
)
