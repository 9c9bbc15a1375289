// Starts a reader thread. Node 24 has no Temporal, and a thread does not have that of the main thread.
if (!globalThis.Temporal) await import('temporal-polyfill/global')
await import('./reader.ts')
