// The baseline: a bare server. For each path it sends the bytes that our server sent, or a 304.
import { createServer } from 'node:http'

const [origin = '', port = '0', paths = '[]', headers = '{}'] = process.argv.slice(2)
const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
const answers = new Map<string, { readonly status: number; readonly sent: readonly string[]; readonly body: Buffer }>()
for (const path of JSON.parse(paths) as readonly string[]) {
  // Without a coding, like the load. `fetch` would request a coding and decode it.
  const asked = { 'accept-encoding': 'identity', ...(JSON.parse(headers) as Record<string, string>) }
  const answer = await fetch(`${origin}${path}`, { headers: asked })
  const body = Buffer.from(await answer.arrayBuffer())
  answers.set(path, {
    status: answer.status,
    sent: [...answer.headers].filter(([name]) => !own.has(name)).flat(),
    body,
  })
}

createServer((request, response) => {
  const answer = answers.get(request.url ?? '')
  if (answer) response.writeHead(answer.status, [...answer.sent]).end(answer.body)
  else response.writeHead(404).end()
}).listen(Number(port), '127.0.0.1')
