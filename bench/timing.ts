// Loaded into the server before anything else: notes how long each answer takes from its request to its last byte, and
// tells them to the process that started it, when that asks.
import { channel } from 'node:diagnostics_channel'

const began = new WeakMap<object, number>()
let times: number[] = []

channel('http.server.request.start').subscribe((message) => {
  began.set((message as { request: object }).request, performance.now())
})
channel('http.server.response.finish').subscribe((message) => {
  times.push(performance.now() - (began.get((message as { request: object }).request) ?? performance.now()))
})
process.on('message', () => {
  process.send?.(times)
  times = []
})
process.channel?.unref()
