import type { VenueTable } from '../../storage/database/tables.ts'
import type { FieldStore } from '../directory/directory.ts'
import type { VenueFields } from './venue.ts'

function rowFromFields(fields: VenueFields): Omit<VenueTable, 'record_id'> {
  return {
    address: fields.address,
    city: fields.city,
    country: fields.country,
    province: fields.province,
    state: fields.state,
    stateprovince: fields.stateprovince,
    zip: fields.zip,
    phone: fields.phone,
    website: fields.website,
    show_map: fields.show_map ? 1 : 0,
    show_map_link: fields.show_map_link ? 1 : 0,
    latitude: fields.geo_lat,
    longitude: fields.geo_lng,
  }
}

function fieldsFromRow({ record_id: _id, latitude, longitude, ...row }: VenueTable): VenueFields {
  return {
    ...row,
    show_map: row.show_map === 1,
    show_map_link: row.show_map_link === 1,
    geo_lat: latitude,
    geo_lng: longitude,
  }
}

export const venueStore: FieldStore<VenueFields> = {
  async list(db, ids) {
    const rows = await db.selectFrom('venues').selectAll().where('record_id', 'in', ids).execute()
    return new Map(rows.map((row) => [row.record_id, fieldsFromRow(row)]))
  },
  async insert(tx, id, fields) {
    await tx
      .insertInto('venues')
      .values({ record_id: id, ...rowFromFields(fields) })
      .execute()
  },
  async update(tx, id, fields) {
    await tx.updateTable('venues').set(rowFromFields(fields)).where('record_id', '=', id).execute()
  },
}
