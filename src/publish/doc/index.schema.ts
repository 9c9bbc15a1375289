import Type from 'typebox'
import { oneOf, recordOf, ref, text, url, withDescription } from '../../access/http/schema.ts'

const Methods = Type.Array(oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
const Link = Type.Object({ href: url() })

/** An argument as the index declares it (index-and-doc.md §1). */
export const IndexArgumentSchema = Type.Object(
  {
    default: Type.Optional(Type.Unknown()),
    description: Type.Optional(text()),
    type: Type.Optional(text()),
    format: Type.Optional(text()),
    items: Type.Optional(Type.Object({ type: text() })),
    enum: Type.Optional(Type.Array(Type.String())),
    required: Type.Boolean(),
  },
  { $id: 'IndexArgument', ...withDescription('IndexArgument') },
)

/** A route as the index lists it; the answer to OPTIONS as well. */
export const IndexRouteSchema = Type.Object(
  {
    namespace: text(),
    methods: Methods,
    endpoints: Type.Array(Type.Object({ methods: Methods, args: recordOf(ref(IndexArgumentSchema)) })),
    _links: Type.Optional(Type.Object({ self: Type.Array(Link) })),
  },
  { $id: 'IndexRoute', ...withDescription('IndexRoute') },
)

export const IndexSchema = Type.Object(
  {
    namespace: text(),
    routes: recordOf(ref(IndexRouteSchema), 'Index.routes'),
    _links: Type.Object({ up: Type.Array(Link) }),
  },
  { $id: 'Index', ...withDescription('Index') },
)

/** The OpenAPI specification already describes the document, so this schema does not. */
export const DocumentSchema = Type.Object({ openapi: text() }, { $id: 'Document', ...withDescription('Document') })
