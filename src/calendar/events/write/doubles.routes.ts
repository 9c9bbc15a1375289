import { mayCreate } from '../../../access/auth/policy.ts'
import { endpoint, type Route } from '../../../access/http/route.ts'
import { readContext } from '../../translations/viewer.ts'
import { doubleArguments } from './doubles.arguments.ts'
import { findDoubles } from './doubles.repository.ts'

const doublesEndpoint = endpoint({
  methods: ['POST'],
  operation: 'findDoubleEvents',
  summary: 'events.doubles',
  about: 'events.doubles.about',
  answer: { schema: async () => (await import('./doubles.schema.ts')).EventDoublesSchema },
  problems: ['rest_forbidden', 'rest_missing_callback_param'],
  args: doubleArguments,
  isOpenTo: mayCreate,
  handle: async (call) => {
    const found = await findDoubles(readContext(call), call.values.events)
    return { status: 200, body: { results: found.map((events) => ({ events })) } }
  },
})

/** Which events exist already. */
export const eventDoubleRoutes: readonly Route[] = [
  { path: '/events/doubles', tag: 'Events', endpoints: [doublesEndpoint] },
]
