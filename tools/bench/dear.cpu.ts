// Loaded into the server before anything else. Tells the parent process how much processor time the server has used, in
// all its threads, when the parent requests it.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1000)
})
process.channel?.unref()
