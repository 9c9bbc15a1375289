// The floor: a bare server that sends the bytes of an answer of ours to whatever it is asked.
import { createServer } from 'node:http'

const [url = '', port = '0', headers = '{}'] = process.argv.slice(2)
const answer = await fetch(url, { headers: JSON.parse(headers) as Record<string, string> })
const body = Buffer.from(await answer.arrayBuffer())
const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
const sent = [...answer.headers].filter(([name]) => !own.has(name)).flat()

createServer((_request, response) => {
  response.writeHead(answer.status, sent).end(body)
}).listen(Number(port), '127.0.0.1')
