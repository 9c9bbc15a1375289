import Type from 'typebox'
import { listSchema } from '../../access/http/arguments/paging.schema.ts'
import { count, id, oneOf, ref, text, url, withDescription } from '../../access/http/schema.ts'

const Link = Type.Object({ href: url() })

/** The addresses of a term in the interface. */
export const TermUrlsSchema = Type.Object(
  { self: url(), collection: url(), up: Type.Optional(url('TermUrls.up')) },
  { $id: 'TermUrls', ...withDescription('TermUrls') },
)

/** A term as an event shows it (events.md §2 "Term"). */
export const TermSchema = Type.Object(
  {
    name: text('Term.name'),
    slug: text('slug.term'),
    term_group: Type.Integer(withDescription('Term.term_group')),
    term_taxonomy_id: id('Term.term_taxonomy_id'),
    taxonomy: text('Term.taxonomy'),
    description: text('Term.description'),
    parent: count('Term.parent'),
    count: count('Term.count'),
    filter: text('Term.filter'),
    id: id('Term.id'),
    urls: ref(TermUrlsSchema),
  },
  { $id: 'Term', ...withDescription('Term') },
)

const Links = Type.Object(
  {
    self: Type.Array(
      Type.Object({
        href: url(),
        targetHints: Type.Object({
          allow: Type.Array(oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), withDescription('Term._links.allow')),
        }),
      }),
    ),
    collection: Type.Array(Link),
    up: Type.Optional(Type.Array(Type.Object({ embeddable: Type.Boolean(), href: url() }))),
  },
  withDescription('Term._links'),
)

const identity = { name: text('Term.name'), slug: text('slug.term'), taxonomy: text('Term.taxonomy') }
const described = { count: Type.Optional(count('Term.count')), description: Type.Optional(text('Term.description')) }
const place = {
  meta: Type.Optional(Type.Array(Type.Unknown(), withDescription('Term.meta'))),
  url: url('Term.url'),
  urls: ref(TermUrlsSchema),
  _links: Type.Optional(Links),
}

/** A category as its own routes show it (terms.md §2). */
export const CategorySchema = Type.Object(
  { id: id('id.category'), ...described, ...identity, parent: Type.Optional(count('Term.parent')), ...place },
  { $id: 'Category', ...withDescription('Category') },
)

/** A tag as its own routes show it (terms.md §2). */
export const TagSchema = Type.Object(
  { id: id('id.tag'), ...described, ...identity, ...place },
  { $id: 'Tag', ...withDescription('Tag') },
)

export const CategoryListSchema = listSchema('CategoryList', 'categories', CategorySchema)
export const TagListSchema = listSchema('TagList', 'tags', TagSchema)
