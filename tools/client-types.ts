// Writes the types of the client, from the OpenAPI document of this checkout: npm run client-types
import { writeFileSync } from 'node:fs'
import { clientTypes, typesFile } from './client-types.document.ts'

writeFileSync(typesFile, await clientTypes())
