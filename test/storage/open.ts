// Opens the database of the environment and prints “open”, like a node that starts.

import { readConfig } from '../../src/base/config/config.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { openStorage } from '../../src/storage/database/open.ts'

const storage = await openStorage(readConfig(process.env), { audited: auditedTables, derivations: derivationsFor() })
console.log('open')
await storage.close()
