import type { TNumber, TOptional } from 'typebox'
import { accepted, coordinateFault } from '../../access/http/arguments/argument.rules.ts'
import { degreesSchema } from '../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule } from '../../access/http/arguments/argument.ts'
import {
  type Field,
  type FieldOptions,
  type FieldTable,
  fieldBasics,
  flagField,
  lineField,
  websiteField,
} from '../directory/field.ts'
import { websiteRule } from '../records/record.arguments.ts'

/** Degrees as a number or a text. Null or `""` for none. */
const degrees =
  (most: number): ArgumentRule<number | null> =>
  (raw) => {
    if (raw === null || raw === '') return accepted(null)
    const number = typeof raw === 'number' || (typeof raw === 'string' && raw.trim() !== '') ? Number(raw) : Number.NaN
    return Math.abs(number) <= most ? accepted(number) : coordinateFault(most)
  }

/** One coordinate of a venue, in degrees, WGS 84. Null if it is unknown. */
function degreesField<const Name extends string, const Column extends string>(
  options: FieldOptions<Name> & { readonly column: Column; readonly most: number },
): Field<number | null, Name, Column, number | null, TOptional<TNumber>, 'body'> {
  const { column, description, most } = options
  const range = { minimum: -most, maximum: most }
  return {
    ...fieldBasics(options),
    ...{ column, kind: 'degrees', blank: null, place: 'body' },
    argument: {
      ...{ read: degrees(most), description, isExtension: true },
      schema: { ...degreesSchema(most), type: ['number', 'null'] },
    },
    schema: ({ Type }) => Type.Optional(Type.Number({ type: 'number', format: 'double', description, ...range })),
    toColumn: (value) => value,
    fromColumn: (stored) => stored,
    present: (value) => value ?? undefined,
  }
}

/** The fields of a venue, in the order of the index. */
export const venueFields = {
  showMap: flagField({ name: 'show_map', description: 'show_map.venue', isShared: true }),
  showMapLink: flagField({ name: 'show_map_link', description: 'show_map_link.venue', isShared: true }),
  address: lineField({ name: 'address', description: 'address', isSearched: true }),
  city: lineField({ name: 'city', description: 'city', isSearched: true }),
  country: lineField({ name: 'country', description: 'country', isSearched: true }),
  province: lineField({ name: 'province', description: 'province', isSearched: true }),
  state: lineField({ name: 'state', description: 'state', isSearched: true }),
  postalCode: lineField({ name: 'zip', description: 'zip', isShared: true, isSearched: true }),
  phone: lineField({ name: 'phone', description: 'phone', isShared: true, isSearched: true }),
  /** The state or the province, depending on the country. */
  region: lineField({
    name: 'stateprovince',
    description: 'stateprovince',
    schemaDescription: 'Venue.stateprovince',
    shownAfter: 'website',
    isSearched: true,
  }),
  website: websiteField({ name: 'website', description: 'website.venue', isSearched: true }, websiteRule),
  latitude: degreesField({ name: 'geo_lat', column: 'latitude', description: 'geo_lat', most: 90, isShared: true }),
  longitude: degreesField({ name: 'geo_lng', column: 'longitude', description: 'geo_lng', most: 180, isShared: true }),
} as const satisfies FieldTable
