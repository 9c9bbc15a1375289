/** Lists the licences of all packages that the lockfile names: writes docs/licences.md. */
import { writeFileSync } from 'node:fs'
import { licencesDocument, licencesFile } from './licences.list.ts'

writeFileSync(licencesFile, licencesDocument())
