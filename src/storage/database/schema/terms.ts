import { id, integer, numbered, table, text } from './table.ts'

/** Categories and tags. They have their own sequence of ids. */
export const terms = table(
  {
    id: numbered(),
    taxonomy: text<'category' | 'tag'>(),
    name: text().audited('name'),
    /** Folded name. Names are compared and sorted by it. */
    name_folded: text(),
    slug: text().audited('slug'),
    description: text().audited('description'),
    /** 0 for the top level. */
    parent_id: id().audited('parent'),
    language: text().audited('language'),
    group_id: id().nullable().audited('translation_group'),
    /** Number of published events that have the term itself. Every write that changes the number updates it. */
    event_count: integer(),
    /**
     * Id of the user who first named the term, in a draft and without the right to create it. Null: the term is public.
     */
    introduced_by: id().nullable().optional().audited('introduced_by'),
    /** The number of changes of the term itself. */
    change_count: integer().optional(0),
  },
  {
    unique: { slug: ['taxonomy', 'language', 'slug'] },
    indexes: { name: '(taxonomy, name_folded, id)', parent: '(parent_id, id)', group: '(group_id, language)' },
  },
)
