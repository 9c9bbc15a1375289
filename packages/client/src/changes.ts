import type { Changes, ListChangesQuery } from './api.generated.ts'
import type { CallOptions } from './options.ts'
import type { Send } from './send.ts'

/** A page of the feed of changes. */
export interface ChangePage {
  readonly items: Changes['items']
  /** Store it with the items, and send it as `after` to continue. */
  readonly cursor: string
  /** Whether there is a next page already. */
  readonly hasMore: boolean
}

export interface ChangeFeed {
  /** Reads one page. */
  read(query?: ListChangesQuery, options?: CallOptions): Promise<ChangePage>
  /** Reads all pages from `after`, or from the beginning, until there is no further change. */
  follow(query?: ListChangesQuery, options?: CallOptions): AsyncGenerator<ChangePage, void, undefined>
}

const usualTimeoutMs = 30_000

/** Returns the timeout of a request that waits for changes; undefined for that of the client. */
function timeoutFor({ wait = 0 }: ListChangesQuery): number | undefined {
  return wait === 0 ? undefined : wait * 1000 + usualTimeoutMs
}

export function createChanges(send: Send): ChangeFeed {
  const read: ChangeFeed['read'] = async (query = {}, options) => {
    const call = { namespace: 'service', path: '/changes', method: 'GET' } as const
    const { body } = await send<Changes>({ ...call, query }, { timeoutMs: timeoutFor(query), ...options })
    const cursor = new URL(body.next).searchParams.get('after') ?? ''
    return { items: body.items, cursor, hasMore: body.has_more }
  }
  return {
    read,
    follow: async function* (query = {}, options) {
      for (let page = await read(query, options); ; page = await read({ ...query, after: page.cursor }, options)) {
        yield page
        if (!page.hasMore) return
      }
    },
  }
}
