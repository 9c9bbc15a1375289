// Serves an empty temporary database on 127.0.0.1:$PORT with the users of $CONFORMANCE_USERS, for the case player.
// It is one on the server of $DATABASE_URL where that names one. The database goes when the server is ended.
import { startCaseSite } from './site.ts'

const site = await startCaseSite(process.env, process.env.CONFORMANCE_USERS)
console.log(site.url)

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => site.close())
