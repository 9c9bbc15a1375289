// The load generator: a separate process that requests paths one after the other, on many connections, and reports how
// long the responses took.
import autocannon from 'autocannon'

export interface LoadRequest {
  readonly origin: string
  readonly paths: readonly string[]
  readonly connections: number
  readonly seconds: number
  readonly headers: Readonly<Record<string, string>>
}

const { origin, paths, connections, seconds, headers } = JSON.parse(process.argv[2] ?? '{}') as LoadRequest
const result = await autocannon({
  ...{ url: origin, connections, duration: seconds, headers: { ...headers } },
  requests: paths.map((path) => ({ path })),
})
const unchanged = result.statusCodeStats?.['304']?.count ?? 0
const { p50, p99 } = result.latency
console.log(
  JSON.stringify({ rate: result.requests.average, p50, p99, failed: result.errors + result.non2xx - unchanged }),
)
