import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A span as a collector receives it. */
export interface ExportedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ExportedSpan, 'attributes'> & {
        readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
      })[]
    }[]
  }[]
}

/** Starts a collector of traces, with the parts of OTLP over HTTP, in JSON, that the tests need. */
export async function givenCollector(t: Pick<TestContext, 'after'>) {
  const bodies: string[] = []
  let heard = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString())
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    heard.resolve()
    heard = Promise.withResolvers()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const spans = () => bodies.flatMap((body) => spansIn(JSON.parse(body)))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    /** Returns all spans, as soon as the condition holds for them. */
    until: async (isSo: (all: readonly ExportedSpan[]) => boolean): Promise<readonly ExportedSpan[]> => {
      while (!isSo(spans())) await heard.promise
      return spans()
    },
  }
}

function spansIn({ resourceSpans }: Export): readonly ExportedSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      })),
    ),
  )
}
