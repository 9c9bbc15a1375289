import {
  anyTextSchema,
  booleanSchema,
  degreesSchema,
  type JsonSchema,
  websiteSchema,
} from '../../access/http/argument.schema.ts'
import type { Arguments, Rule } from '../../access/http/argument.ts'
import { accepted, coordinateFault, flag } from '../../access/http/rules.ts'
import { lineTextRule, websiteRule } from '../records/record.arguments.ts'

/** Degrees as a number or a text, or null, `""` for none. */
const degrees =
  (most: number): Rule<number | null> =>
  (raw) => {
    if (raw === null || raw === '') return accepted(null)
    const number = typeof raw === 'number' || (typeof raw === 'string' && raw.trim() !== '') ? Number(raw) : Number.NaN
    return Math.abs(number) <= most ? accepted(number) : coordinateFault(most)
  }

const degreesOrNullSchema = (most: number): JsonSchema => ({ ...degreesSchema(most), type: ['number', 'null'] })

/** The fields of a venue, in the order of the index. */
export const venueArguments = {
  show_map: {
    read: flag('show_map'),
    description: 'show_map.venue',
    schema: booleanSchema,
    type: 'string',
    default: null,
  },
  show_map_link: {
    read: flag('show_map_link'),
    description: 'show_map_link.venue',
    schema: booleanSchema,
    type: 'string',
    default: null,
  },
  address: {
    read: lineTextRule('address'),
    description: 'address',
    schema: anyTextSchema,
    type: 'string',
    default: null,
  },
  city: { read: lineTextRule('city'), description: 'city', schema: anyTextSchema, type: 'string', default: null },
  country: {
    read: lineTextRule('country'),
    description: 'country',
    schema: anyTextSchema,
    type: 'string',
    default: null,
  },
  province: {
    read: lineTextRule('province'),
    description: 'province',
    schema: anyTextSchema,
    type: 'string',
    default: null,
  },
  state: { read: lineTextRule('state'), description: 'state', schema: anyTextSchema, type: 'string', default: null },
  zip: { read: lineTextRule('zip'), description: 'zip', schema: anyTextSchema, type: 'string', default: null },
  phone: { read: lineTextRule('phone'), description: 'phone', schema: anyTextSchema, type: 'string', default: null },
  stateprovince: {
    read: lineTextRule('stateprovince'),
    description: 'stateprovince',
    schema: anyTextSchema,
    type: 'string',
    default: null,
  },
  website: { read: websiteRule, description: 'website.venue', schema: websiteSchema, type: 'string', default: null },
  geo_lat: { read: degrees(90), description: 'geo_lat', schema: degreesOrNullSchema(90), isExtension: true },
  geo_lng: { read: degrees(180), description: 'geo_lng', schema: degreesOrNullSchema(180), isExtension: true },
} as const satisfies Arguments
