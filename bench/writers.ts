// Creates events from many clients at once, in a separate process, and prints the seconds that it took.
import { authorization } from './server.ts'
import { describe } from './texts.ts'

const [api = '', first = '0', count = '0', clients = '1'] = process.argv.slice(2)
let number = Number(first)
const last = number + Number(count)

async function create(): Promise<void> {
  const { title, content } = describe('en', number % 1000)
  const body = {
    title: `${title} ${number}`,
    description: content,
    start_date: '2027-05-06 19:00',
    end_date: '2027-05-06 21:00',
  }
  const answer = await fetch(`${api}/events`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await answer.arrayBuffer()
  if (answer.status !== 201) throw new Error(`An event is answered with ${answer.status}.`)
}

const beganAtMs = performance.now()
await Promise.all(
  Array.from({ length: Number(clients) }, async () => {
    while (number < last) {
      number += 1
      await create()
    }
  }),
)
console.log((performance.now() - beganAtMs) / 1000)
