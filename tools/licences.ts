/** Lists the licences of all packages that the lockfile names: writes LICENCES.md. */
import { writeFileSync } from 'node:fs'
import { licencesDocument, licencesFile } from './licences.list.ts'

writeFileSync(licencesFile, licencesDocument())
