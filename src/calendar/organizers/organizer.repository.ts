import type { FieldStore } from '../directory/directory.ts'
import type { OrganizerFields } from './organizer.ts'

export const organizerStore: FieldStore<OrganizerFields> = {
  async list(db, ids) {
    const rows = await db.selectFrom('organizers').selectAll().where('record_id', 'in', ids).execute()
    return new Map(rows.map(({ record_id, phone, website, email }) => [record_id, { phone, website, email }]))
  },
  async insert(tx, id, { phone, website, email }) {
    await tx.insertInto('organizers').values({ record_id: id, phone, website, email }).execute()
  },
  async update(tx, id, { phone, website, email }) {
    await tx.updateTable('organizers').set({ phone, website, email }).where('record_id', '=', id).execute()
  },
}
