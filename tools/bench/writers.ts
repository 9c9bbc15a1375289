// Creates events from many clients at once, in a separate process, and prints the seconds that it took.
import autocannon from 'autocannon'
import { authorization } from './server.ts'
import { describe } from './texts.ts'

const [api = '', first = '0', count = '0', clients = '1'] = process.argv.slice(2)

// Made before the first request, because this process must not take time from the service.
const bodies = Array.from({ length: Number(count) }, (_, place) => {
  const number = Number(first) + place + 1
  const { title, content } = describe('en', number % 1000)
  return JSON.stringify({
    title: `${title} ${number}`,
    description: content,
    start_date: '2027-05-06 19:00',
    end_date: '2027-05-06 21:00',
  })
})
let next = 0
/** The end of autocannon is later: it looks once a second. */
let answeredAtMs = 0

const beganAtMs = performance.now()
const result = await autocannon({
  ...{ url: `${api}/events`, method: 'POST', connections: Number(clients), amount: bodies.length },
  headers: { authorization, 'content-type': 'application/json' },
  setupClient: (client) => {
    client.on('response', () => {
      answeredAtMs = performance.now()
    })
  },
  requests: [{ setupRequest: (request) => ({ ...request, body: bodies[next++ % bodies.length] ?? '' }) }],
})
const seconds = (answeredAtMs - beganAtMs) / 1000
const created = result.statusCodeStats?.['201']?.count ?? 0
if (created < bodies.length) throw new Error(`Only ${created} of ${bodies.length} events were created.`)
console.log(seconds)
