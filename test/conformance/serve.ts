// Serves an empty temporary database on 127.0.0.1:$PORT with the users of $CONFORMANCE_USERS, for the case player.
// If $DATABASE_URL names a server, the database is created there. It is removed when the server ends.
import { startCaseSite } from './site.ts'

const site = await startCaseSite(process.env, process.env.CONFORMANCE_USERS)
console.log(site.url)

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => site.close())
