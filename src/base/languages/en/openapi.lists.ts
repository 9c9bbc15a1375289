/** The texts of the routes that long lists of the desk use: imports, pictures and saved views. */
export const listTexts = {
  'imports.create': 'Imports a recorded list of another calendar',
  'imports.create.about':
    'The body is an answer of a `tribe/events/v1` interface, or of this one: a list of events, venues, organizers, categories or tags. Records that were imported before are recognized and updated. At most 16 MB. Send `dry_run` first to see what would happen. For editors and administrators.',
  Import: 'What an import did, or would do.',
  'Import.dry_run': 'Whether nothing was changed.',
  'Import.found': 'How many events the file has.',
  'Import.counts': 'The records of a kind.',
  'Import.created': 'How many were new.',
  'Import.updated': 'How many were changed.',
  'Import.unchanged': 'How many were the same as before.',
  'Import.failed': 'How many could not be imported.',
  'Import.skipped_images': 'How many records have a picture, which is not copied.',
  'Import.protected_events': 'How many events have a password, so that the file does not have their texts.',
  'Import.failures': 'Why records were not imported; at most 500.',
  'Import.warnings': 'What was changed in records that were imported; at most 500.',
  'Import.path': 'The place in the file, such as `events[12]`; empty for the file as a whole.',
  'Import.text': 'What is wrong, in English.',
} as const
