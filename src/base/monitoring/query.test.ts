import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryTiming } from './query.ts'

test('a statement is reported by its first word and its first table, whatever comment precedes them', () => {
  const texts = {
    'select 1': ['select', undefined],
    '\n  SELECT "id" from "records" where id = ?': ['select', 'records'],
    'insert into audit (id) values (1)': ['insert', 'audit'],
    '/* unread */ with a as (delete from stale_events) select 1': ['with', 'stale_events'],
    '/* unread */\n    update revision set number = 1': ['update', 'revision'],
    ' /* from one */ /* * / */ select * from events': ['select', 'events'],
    vacuum: ['other', undefined],
    '/* select */ vacuum': ['other', undefined],
  } as const
  for (const [text, [operation, table]] of Object.entries(texts)) {
    assert.deepEqual(queryTiming(text, 1), { operation, table, ms: 1 }, text)
  }
})
