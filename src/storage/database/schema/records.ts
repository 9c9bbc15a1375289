import { flag, id, instant, integer, numbered, real, table, text } from './table.ts'

type MergedKind = 'venue' | 'organizer' | 'category' | 'tag'

/**
 * What events, venues, organizers and pictures share, and one sequence of ids for all of them. Long texts are last: a row is
 * read up to the last column that is asked for.
 */
export const records = table(
  {
    id: numbered(),
    /** `series`: the template of the dates of a series. No list shows it, because it is not an event. */
    kind: text<'event' | 'venue' | 'organizer' | 'media' | 'series'>(),
    status: text().audited('status'),
    status_before_trash: text().nullable(),
    language: text().audited('language'),
    slug: text().audited('slug'),
    /** Id of the group of translations. It is the id of the group's first member. */
    group_id: id().nullable().audited('translation_group'),
    author_id: id().references('users.id').audited('author'),
    image_id: id().nullable().references('records.id', 'set null').audited('image'),
    parent_id: id().nullable().references('records.id', 'set null').audited('parent'),
    /** Salted digest of the password that opens the record, or null. */
    password: text().nullable().audited('event_password'),
    created_at: instant(),
    modified_at: instant(),
    change_count: integer().optional(0),
    /** The publication date. While `is_dated` is 0, the date of the last change. */
    dated_at: instant().audited('date_utc'),
    /** 0 for a draft or pending record that was never published. Its `date_utc` is then shown as zeros. */
    is_dated: flag(),
    title: text().audited('title').searched(),
    /** Folded title. Names of venues and organizers are compared by it. */
    title_folded: text(),
    title_html: text(),
    excerpt: text().audited('excerpt').searched(),
    excerpt_html: text(),
    content: text().audited('description').searched(),
    content_html: text(),
    /** Folded text for the search. */
    search_text: text(),
  },
  {
    indexes: {
      slug: '(kind, slug, id)',
      list: '(kind, status, dated_at, id)',
      title: "(kind, title_folded, id) where kind != 'event'",
      author: '(author_id, kind)',
      group: '(group_id, language)',
      image: '(image_id)',
      parent: '(parent_id)',
      modified: '(kind, modified_at, id)',
      // PostgreSQL cannot index a text of many kilobytes, so it has the beginning of each title.
      event_title: "(kind, substr(title_folded, 1, 200), id) where kind = 'event'",
      event_state: "(kind, status, id) where kind = 'event'",
    },
    indexesOn: {
      // What feeds look for in each event before they read it. PostgreSQL reads no values of expressions from an index.
      sqlite: {
        keys: `(id, change_count, password,
          octet_length(title_html) + octet_length(content_html) + octet_length(excerpt_html))`,
      },
    },
  },
)

export const media = table(
  {
    record_id: id().key().references('records.id', 'cascade'),
    /** Path below the uploads folder. */
    file: text().unique().audited('file'),
    mime_type: text().audited('mime_type'),
    extension: text(),
    width: integer().audited('width'),
    height: integer().audited('height'),
    size_bytes: id().audited('filesize'),
    /** JSON: size name → {file, width, height, mime-type, filesize}. */
    sizes: text(),
    /** URL that the picture was fetched from, so that the same URL is not fetched twice. */
    source_url: text().nullable(),
    /** JSON: language → text that describes the picture. */
    alt_texts: text().optional('{}').audited('alt_texts'),
    /** 1 if the picture is decorative. */
    is_decorative: integer().optional(0).audited('decorative'),
  },
  { indexes: { source: '(source_url)' } },
)

export const venues = table(
  {
    record_id: id().key().references('records.id', 'cascade'),
    address: text().audited('address'),
    city: text().audited('city'),
    country: text().audited('country'),
    province: text().audited('province'),
    state: text().audited('state'),
    stateprovince: text().audited('stateprovince'),
    zip: text().audited('zip'),
    phone: text().audited('phone'),
    website: text().audited('website'),
    show_map: flag().audited('show_map'),
    show_map_link: flag().audited('show_map_link'),
    latitude: real().nullable().audited('geo_lat'),
    longitude: real().nullable().audited('geo_lng'),
  },
  { indexes: { latitude: '(latitude, longitude)' } },
)

export const organizers = table({
  record_id: id().key().references('records.id', 'cascade'),
  phone: text().audited('phone'),
  website: text().audited('website'),
  email: text().audited('email'),
})

/** What had a slug until another one was given to it. */
export const former_slugs = table(
  {
    kind: text<'event' | MergedKind>(),
    slug: text(),
    language: text(),
    /** Id of a record or a term. It may no longer exist. */
    item_id: id(),
  },
  { key: ['kind', 'slug', 'language'], isClustered: true },
)

/** What was merged into another one of its kind, as long as that is not undone. */
export const merged_items = table(
  { kind: text<MergedKind>(), item_id: id(), into_id: id() },
  { key: ['kind', 'item_id'], isClustered: true },
)
