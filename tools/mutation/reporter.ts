// A reporter of tests that ends the process at the first failure.
import type { TestEvent } from 'node:test/reporters'

export default async function* stopAtFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue
    yield `${data.name}\n`
    // The text is written first.
    setImmediate(() => process.exit(1))
  }
}
