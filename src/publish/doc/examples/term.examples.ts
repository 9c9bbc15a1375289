import { type Examples, type ExamplesByOperation, missing, notAllowed, signedOut, wrong } from './example.ts'

/** The differences between the examples of categories and those of tags. */
interface TermExampleData {
  readonly taxonomy: 'category' | 'tag'
  readonly id: number
  readonly other: { readonly id: number; readonly name: string; readonly slug: string }
  readonly newName: string
}

const unknownId = 999

const listed = ({ taxonomy, other }: TermExampleData): Examples => ({
  'first-page': { parameters: { per_page: 1, hide_empty: false } },
  'used-only': { parameters: { hide_empty: true } },
  'words-sought': { parameters: { search: other.name } },
  'invalid-value': { parameters: { include: [unknownId] }, ...wrong('include', `fault.unknown-${taxonomy}`) },
})

const created = ({ newName, other }: TermExampleData): Examples => ({
  minimal: { as: 'editor', body: { name: newName } },
  rich: { as: 'editor', body: { name: newName, slug: 'chosen-slug', description: 'What it is about.' } },
  'name-taken': {
    as: 'editor',
    body: { name: other.name },
    problem: {
      code: 'term_exists',
      details: { term_id: other.id },
      extra: { additional_data: [other.id, other.id] },
    },
  },
  'missing-value': { as: 'editor', body: { description: 'What it is about.' }, ...missing('name') },
  'signed-out': { body: { name: newName }, ...signedOut },
  'not-allowed': { body: { name: newName }, ...notAllowed },
})

const unknown = ({ taxonomy }: TermExampleData) => ({
  parameters: { id: unknownId },
  ...wrong('id', `fault.unknown-${taxonomy}`),
})

const read = (kind: TermExampleData): Examples => ({
  'one-record': { parameters: { id: kind.id } },
  unknown: unknown(kind),
})

const changed = (kind: TermExampleData): Examples => ({
  'one-value': { as: 'editor', parameters: { id: kind.id }, body: { description: 'What it is about.' } },
  'slug-taken': {
    as: 'editor',
    parameters: { id: kind.id },
    body: { slug: kind.other.slug },
    problem: { code: 'duplicate_term_slug' },
  },
  'signed-out': { parameters: { id: kind.id }, body: { description: 'What it is about.' }, ...signedOut },
  'not-allowed': { parameters: { id: kind.id }, body: { description: 'What it is about.' }, ...notAllowed },
  unknown: { as: 'editor', body: { description: 'What it is about.' }, ...unknown(kind) },
})

const deleted = (kind: TermExampleData): Examples => ({
  remove: { as: 'editor', parameters: { id: kind.id } },
  'signed-out': { parameters: { id: kind.id }, ...signedOut },
  'not-allowed': { parameters: { id: kind.id }, ...notAllowed },
  unknown: { as: 'editor', ...unknown(kind) },
})

const categories: TermExampleData = {
  taxonomy: 'category',
  id: 2,
  other: { id: 1, name: 'Music', slug: 'music' },
  newName: 'Reading',
}
const tags: TermExampleData = {
  taxonomy: 'tag',
  id: 3,
  other: { id: 4, name: 'free', slug: 'free' },
  newName: 'outdoors',
}

export const termExamples: ExamplesByOperation = {
  listCategories: listed(categories),
  createCategory: {
    ...created(categories),
    'below-another': { as: 'editor', body: { name: 'Jazz', parent: categories.other.id } },
  },
  getCategory: read(categories),
  changeCategory: changed(categories),
  deleteCategory: deleted(categories),
  listTags: listed(tags),
  createTag: created(tags),
  getTag: read(tags),
  changeTag: changed(tags),
  deleteTag: deleted(tags),
}
