import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Creates the tables for records of all kinds, terms, users and the links between them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await users(db, dialect)
  await records(db, dialect)
  await events(db, dialect)
  await places(db, dialect)
  await links(db, dialect)
  await terms(db, dialect)
  await media(db, dialect)
  await dialect
    .finish(
      db.schema
        .createTable('settings')
        .addColumn('name', dialect.text, (c) => c.primaryKey().notNull())
        .addColumn('value', dialect.text, (c) => c.notNull()),
    )
    .execute()
}

async function users(db: Kysely<unknown>, { numbered, finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    numbered(db.schema.createTable('users'))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('name_folded', text, (c) => c.notNull().unique())
      .addColumn('email', text, (c) => c.notNull())
      .addColumn('role', text, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull()),
  ).execute()
  await db.schema.createIndex('users_email').on('users').column('email').execute()
  await finish(
    numbered(db.schema.createTable('application_passwords'))
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('label', text, (c) => c.notNull())
      .addColumn('digest', text, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull()),
  ).execute()
  await db.schema
    .createIndex('application_passwords_user')
    .on('application_passwords')
    .columns(['user_id', 'digest'])
    .execute()
}

async function records(db: Kysely<unknown>, { numbered, finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    numbered(db.schema.createTable('records'))
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('status_before_trash', text)
      .addColumn('slug', text, (c) => c.notNull())
      .addColumn('title', text, (c) => c.notNull())
      .addColumn('title_folded', text, (c) => c.notNull())
      .addColumn('title_html', text, (c) => c.notNull())
      .addColumn('content', text, (c) => c.notNull())
      .addColumn('content_html', text, (c) => c.notNull())
      .addColumn('excerpt', text, (c) => c.notNull())
      .addColumn('excerpt_html', text, (c) => c.notNull())
      .addColumn('author_id', id, (c) => c.notNull().references('users.id'))
      .addColumn('password', text)
      .addColumn('image_id', id, (c) => c.references('records.id').onDelete('set null'))
      .addColumn('parent_id', id, (c) => c.references('records.id').onDelete('set null'))
      .addColumn('language', text, (c) => c.notNull())
      .addColumn('group_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('modified_at', instant, (c) => c.notNull())
      .addColumn('dated_at', instant, (c) => c.notNull())
      .addColumn('is_dated', 'integer', (c) => c.notNull())
      .addColumn('search_text', text, (c) => c.notNull()),
  ).execute()
  await db.schema.createIndex('records_slug').on('records').columns(['kind', 'slug', 'id']).execute()
  await db.schema.createIndex('records_list').on('records').columns(['kind', 'status', 'dated_at', 'id']).execute()
  await db.schema
    .createIndex('records_title')
    .on('records')
    .columns(['kind', 'title_folded', 'id'])
    .where(sql.ref('kind'), '!=', sql.lit('event'))
    .execute()
  await db.schema.createIndex('records_author').on('records').columns(['author_id', 'kind']).execute()
  await db.schema.createIndex('records_group').on('records').columns(['group_id', 'language']).execute()
  await db.schema.createIndex('records_image').on('records').column('image_id').execute()
  await db.schema.createIndex('records_parent').on('records').column('parent_id').execute()
}

async function events(db: Kysely<unknown>, { finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('events')
      .addColumn('record_id', id, (c) => c.primaryKey().notNull().references('records.id').onDelete('cascade'))
      .addColumn('start_local', text, (c) => c.notNull())
      .addColumn('end_local', text, (c) => c.notNull())
      .addColumn('timezone', text, (c) => c.notNull())
      .addColumn('start_utc', instant, (c) => c.notNull())
      .addColumn('end_utc', instant, (c) => c.notNull())
      .addColumn('is_all_day', 'integer', (c) => c.notNull())
      .addColumn('cost', text, (c) => c.notNull())
      .addColumn('website', text)
      .addColumn('show_map', 'integer', (c) => c.notNull())
      .addColumn('show_map_link', 'integer', (c) => c.notNull())
      .addColumn('is_hidden', 'integer', (c) => c.notNull())
      .addColumn('is_sticky', 'integer', (c) => c.notNull())
      .addColumn('is_featured', 'integer', (c) => c.notNull())
      .addColumn('custom_fields', text, (c) => c.notNull())
      .addColumn('tickets', text, (c) => c.notNull())
      .addColumn('has_tickets', 'integer', (c) => c.notNull()),
  ).execute()
  await db.schema.createIndex('events_start').on('events').columns(['start_local', 'end_local', 'record_id']).execute()
  await db.schema.createIndex('events_end').on('events').columns(['end_local', 'record_id']).execute()
}

async function places(db: Kysely<unknown>, { finish, id, text, real }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('venues')
      .addColumn('record_id', id, (c) => c.primaryKey().notNull().references('records.id').onDelete('cascade'))
      .addColumn('address', text, (c) => c.notNull())
      .addColumn('city', text, (c) => c.notNull())
      .addColumn('country', text, (c) => c.notNull())
      .addColumn('province', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('stateprovince', text, (c) => c.notNull())
      .addColumn('zip', text, (c) => c.notNull())
      .addColumn('phone', text, (c) => c.notNull())
      .addColumn('website', text, (c) => c.notNull())
      .addColumn('show_map', 'integer', (c) => c.notNull())
      .addColumn('show_map_link', 'integer', (c) => c.notNull())
      .addColumn('latitude', real)
      .addColumn('longitude', real),
  ).execute()
  await db.schema.createIndex('venues_latitude').on('venues').columns(['latitude', 'longitude']).execute()
  await finish(
    db.schema
      .createTable('organizers')
      .addColumn('record_id', id, (c) => c.primaryKey().notNull().references('records.id').onDelete('cascade'))
      .addColumn('phone', text, (c) => c.notNull())
      .addColumn('website', text, (c) => c.notNull())
      .addColumn('email', text, (c) => c.notNull()),
  ).execute()
}

async function links(db: Kysely<unknown>, { finish, id }: Dialect): Promise<void> {
  for (const kind of ['venue', 'organizer'] as const) {
    const table = `event_${kind}s`
    await finish(
      db.schema
        .createTable(table)
        .addColumn('event_id', id, (c) => c.notNull().references('events.record_id').onDelete('cascade'))
        .addColumn(`${kind}_id`, id, (c) => c.notNull().references(`${kind}s.record_id`).onDelete('cascade'))
        .addColumn('position', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint(`${table}_key`, ['event_id', `${kind}_id`]),
    ).execute()
    await db.schema
      .createIndex(`${table}_${kind}`)
      .on(table)
      .columns([`${kind}_id`, 'event_id'])
      .execute()
  }
}

async function terms(db: Kysely<unknown>, { numbered, finish, id, text }: Dialect): Promise<void> {
  await finish(
    numbered(db.schema.createTable('terms'))
      .addColumn('taxonomy', text, (c) => c.notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('name_folded', text, (c) => c.notNull())
      .addColumn('slug', text, (c) => c.notNull())
      .addColumn('description', text, (c) => c.notNull())
      .addColumn('parent_id', id, (c) => c.notNull())
      .addColumn('language', text, (c) => c.notNull())
      .addColumn('group_id', id)
      .addColumn('event_count', 'integer', (c) => c.notNull())
      .addUniqueConstraint('terms_slug', ['taxonomy', 'language', 'slug']),
  ).execute()
  await db.schema.createIndex('terms_name').on('terms').columns(['taxonomy', 'name_folded', 'id']).execute()
  await db.schema.createIndex('terms_parent').on('terms').columns(['parent_id', 'id']).execute()
  await db.schema.createIndex('terms_group').on('terms').columns(['group_id', 'language']).execute()
  await finish(
    db.schema
      .createTable('event_terms')
      .addColumn('event_id', id, (c) => c.notNull().references('events.record_id').onDelete('cascade'))
      .addColumn('term_id', id, (c) => c.notNull().references('terms.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('event_terms_key', ['event_id', 'term_id']),
  ).execute()
  await db.schema.createIndex('event_terms_term').on('event_terms').columns(['term_id', 'event_id']).execute()
}

async function media(db: Kysely<unknown>, { finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('media')
      .addColumn('record_id', id, (c) => c.primaryKey().notNull().references('records.id').onDelete('cascade'))
      .addColumn('file', text, (c) => c.notNull().unique())
      .addColumn('mime_type', text, (c) => c.notNull())
      .addColumn('extension', text, (c) => c.notNull())
      .addColumn('width', 'integer', (c) => c.notNull())
      .addColumn('height', 'integer', (c) => c.notNull())
      .addColumn('size_bytes', instant, (c) => c.notNull())
      .addColumn('sizes', text, (c) => c.notNull())
      .addColumn('source_url', text),
  ).execute()
  await db.schema.createIndex('media_source').on('media').column('source_url').execute()
}
