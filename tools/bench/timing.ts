// Loaded into the server before anything else. Records the time of each response from its request to its last byte, and
// sends the times to the parent process when that requests them.
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
